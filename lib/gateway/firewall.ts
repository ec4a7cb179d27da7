import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { StackSettings } from '../settings/settings.ts';

/** Bodies have contacts and files with any content, and programs often name no user agent. */
const onlyCounted = [
  'SizeRestrictions_BODY',
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'NoUserAgent_HEADER',
];

/**
 * AWS keeps these up to date: addresses of bots, requests that attack known faults, and the usual
 * attacks of the web.
 */
const managed: Readonly<Record<string, readonly string[]>> = {
  AWSManagedRulesAmazonIpReputationList: [],
  AWSManagedRulesKnownBadInputsRuleSet: [],
  AWSManagedRulesCommonRuleSet: onlyCounted,
};

const watched = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
  metricName,
});

const managedRule = (name: string, counted: readonly string[], priority: number): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  visibilityConfig: watched(name),
});

/**
 * The web ACL of a stage. It refuses a request before the authorizer runs, so that one address
 * cannot have the authorizer check any number of false tokens.
 * @returns its ARN
 */
export const firewallOf = (
  scope: Construct,
  stage: string,
  { perAddress }: NonNullable<StackSettings['waf']>,
): string => {
  const tooMany: CfnWebACL.RuleProperty = {
    name: 'RequestsPerAddress',
    priority: 0,
    action: { block: {} },
    statement: {
      rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: 300, limit: perAddress },
    },
    visibilityConfig: watched('RequestsPerAddress'),
  };
  const rules = Object.entries(managed).map(([name, counted], at) => managedRule(name, counted, at + 1));
  return new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    description: `outbound ${stage}: managed rules, and a rate for each address`,
    rules: [tooMany, ...rules],
    visibilityConfig: watched(`outbound-${stage}`),
  }).attrArn;
};
