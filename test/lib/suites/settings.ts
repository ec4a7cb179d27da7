import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingNames } from '../../../lib/settings/schema.ts';
import { settingsFrom } from '../../../lib/settings/settings.ts';
import { StackSettingError } from '../../../lib/settings/stage-file.ts';
import { production } from '../../support/aws/stack-parts.ts';
import { synthesize, synthesized } from '../../support/aws/synthesized-stack.ts';

/** Settings of a stage whose file holds this. */
const withFile = (file: object | string, flags: Record<string, string> = {}) => {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  return settingsFrom({ stage: 'live', ...flags }, (stage) => (stage === 'live' ? text : undefined));
};

const environment = { account: '123456789012', region: 'eu-west-1' };
const told = { ...environment, alarmEmail: 'operators@example.com', country: 'none' };

describe('the file of a stage', () => {
  it('is all that a deployment needs', () => {
    const connect = { connectInstanceId: 'i', connectFlowId: 'f', connectSourceNumber: '+15550100' };
    expect(withFile({ ...told, ...connect, timeZone: 'Asia/Shanghai', country: 'CN' })).toMatchObject({
      stage: 'live',
      disposable: false,
      timeZone: 'Asia/Shanghai',
      country: 'CN',
      connect: { instanceId: 'i', concurrency: 10 },
    });
  });

  it('says where there is no country, which only dev stages may leave open', () => {
    expect(withFile(told).country).toBeUndefined();
    expect(settingsFrom({ stage: 'dev' }).country).toBeUndefined();
    expect(settingsFrom({ stage: 'dev-x' }, () => undefined).country).toBeUndefined();
  });

  it('gives the same template each time', () => {
    const [first, second] = [synthesized(production), synthesize(production)];
    expect(second.json).toEqual(first.json);
  });

  it('is overridden by a flag, and one setting is taken away by an empty one', () => {
    const file = { ...told, requestsPerSecond: 50, corsOrigin: 'https://a.example', tokenAudiences: ['a'] };
    const flags = { requestsPerSecond: '7', corsOrigin: '', tokenAudiences: 'b,c' };
    expect(withFile(file, flags)).toMatchObject({
      throttles: { general: { rate: 7 } },
      corsOrigin: undefined,
      otherClients: ['b', 'c'],
    });
  });

  it.each([
    [
      { ...told, alarmMail: 'x' },
      'stages/live.json: alarmMail: is not a setting; the settings are timeZone, ',
    ],
    [{ ...told, timeZone: 'Mars/Olympus' }, 'stages/live.json: timeZone: must be an IANA time zone, not '],
    [{ ...told, importsPerSecond: '5' }, 'stages/live.json: importsPerSecond: must be from 1 to 10000'],
    [{ alarmEmail: 'nobody' }, 'stages/live.json: alarmEmail: must be a mail address, a list of'],
    [{ ...told, alarmEmail: ['a@example.com', 'nobody'] }, 'stages/live.json: alarmEmail: must be a mail'],
    [{ ...told, alarmEmail: [] }, 'stages/live.json: alarmEmail: must be a mail address'],
    [{ ...environment, country: 'CN' }, 'stages/live.json: alarmEmail: say who gets the alarms of live'],
    [{ alarmEmail: 'none' }, 'stages/live.json: account: name the AWS account and the region of live'],
    [{ ...told, account: '1234' }, 'stages/live.json: account: must be the 12 digits of an AWS account'],
    [{ ...told, region: 'Ireland' }, 'stages/live.json: region: must be an AWS region such as eu-west-1'],
    [{ account: '123456789012', alarmEmail: 'none' }, 'region: is needed together with account'],
    [{ ...told, exportConcurrency: 0 }, 'exportConcurrency: must be from 1 to 1000, or none'],
    [{ ...told, tokenIssuer: 'https://login.example.com' }, 'tokenAudiences: is needed together with'],
    [{ ...told, domainName: 'api.example.com' }, 'certificateArn: is needed together with domainName'],
    [{ ...told, connectInstanceId: 'i', connectFlowId: 'f' }, 'connectSourceNumber: is needed together'],
    [{ ...told, country: 'China' }, 'country: must be an ISO 3166 code'],
    [{ ...told, callingHours: '21:00-08:00' }, 'callingHours: must be two times of a day'],
    [
      { ...environment, alarmEmail: 'none' },
      'stages/live.json: country: name the country that numbers without +',
    ],
    // Not a country: every function would fail at its start.
    [{ ...told, country: 'XX' }, 'country: must be an ISO 3166 code'],
    [
      { ...told, connectInstanceId: 'i', connectFlowId: 'f', connectSourceNumber: '5550100' },
      'connectSourceNumber: must be + and up to 15 digits',
    ],
    [
      {
        ...told,
        domainName: 'a.example',
        certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/c',
      },
      'stages/live.json: certificateArn: must be a certificate of eu-west-1, not of us-east-1',
    ],
    [
      {
        ...told,
        ...{ domainName: 'a.example', corsOrigin: 'https://A.example' },
        certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/c',
      },
      'stages/live.json: corsOrigin: is the own domain, whose pages may call the API anyway: remove it',
    ],
    [{ ...told, dialerTokenHours: 25 }, 'dialerTokenHours: must be from 1 to 24'],
    [{ ...told, clients: { crm: ['outbound/all'] } }, 'clients: must be names such as crm, of letters'],
    [{ ...told, clients: { crm: [] } }, 'stages/live.json: clients: must be names such as crm'],
    [{ ...told, clients: { console: ['outbound/read'] } }, 'stages/live.json: clients: must be names'],
    [{ ...told, clients: { 'my-crm': ['outbound/read'] } }, 'stages/live.json: clients: must be names'],
    [
      {
        ...told,
        clients: { crm: ['outbound/read'] },
        ...{ tokenIssuer: 'https://login.example.com', tokenAudiences: ['a'] },
      },
      'stages/live.json: clients: are clients of the own user pool, which tokenIssuer replaces',
    ],
    [
      { ...told, waf: true, webAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/a/b' },
      'stages/live.json: waf: makes a web ACL: remove webAclArn, which names another one',
    ],
    [{ ...told, requestsPerAddress: 500 }, 'waf: is needed together with requestsPerAddress'],
    [{ ...told, keepGatewayAddress: true }, 'domainName: is needed together with keepGatewayAddress'],
    ['{', 'stages/live.json is not an object in JSON'],
    [[], 'stages/live.json is not an object in JSON'],
  ])('is refused in one line where it holds %j', (file, words) => {
    expect(() => withFile(file)).toThrow(StackSettingError);
    expect(() => withFile(file)).toThrow(words);
  });

  it('must be there for a stage that keeps its data', () => {
    expect(() => settingsFrom({ stage: 'prdo', ...told })).toThrow('stages/prdo.json is missing');
  });

  it.each(readdirSync(new URL('../../../stages', import.meta.url)))(
    'in the repository is right: %s',
    (name) => {
      const stage = name.replace('.json', '');
      expect(settingsFrom({ stage, ...told }).stage).toBe(stage);
    },
  );

  it('has every setting explained in the deployment guide', () => {
    const guide = readFileSync(new URL('../../../docs/deployment.md', import.meta.url), 'utf8');
    expect(settingNames.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('a dev stage', () => {
  it('is the default, needs no file of its own and no address', () => {
    expect(settingsFrom({})).toMatchObject({ stage: 'dev', disposable: true, alarmEmails: [] });
    expect(settingsFrom({ stage: 'dev-anna' }).disposable).toBe(true);
    expect(() => settingsFrom({ stage: 'develop' })).toThrow(/^stages.develop.json is missing/);
    expect(withFile(told).disposable).toBe(false);
  });

  it('leaves the role of all APIs of the account alone', () => {
    expect([settingsFrom({}).gatewayLogRole, withFile(told).gatewayLogRole]).toEqual(['none', 'create']);
  });
});

it.each([
  [{ stage: 'Prod!' }, '-c stage: must be '],
  [{ stage: 'my-aws' }, '-c stage: must be '],
  [{ stage: 'amazon' }, '-c stage: must be '],
  [{ stage: 'cognito2' }, '-c stage: must be '],
  [{ corsOrigin: 'https://a.example/path' }, '-c corsOrigin: must be '],
  [{ corsOrigin: "https://a.example'" }, '-c corsOrigin: must be '],
  [{ requestsPerSecond: 'many' }, '-c requestsPerSecond: must be '],
  [{ alarmMail: 'a@example.com' }, '-c alarmMail: is not a setting'],
])('the flag %j is refused in one line', (flags, words) => {
  expect(() => settingsFrom(flags)).toThrow(StackSettingError);
  expect(() => settingsFrom(flags)).toThrow(words);
});

it('an address of none is a decision, not an omission', () => {
  expect(withFile({ ...told, alarmEmail: 'none' }).alarmEmails).toEqual([]);
});

it('alarms go to one address or to several', () => {
  const both = ['a@example.com', 'b@example.com'];
  expect(withFile(told).alarmEmails).toEqual(['operators@example.com']);
  expect(withFile({ ...told, alarmEmail: both }).alarmEmails).toEqual(both);
  expect(withFile(told, { alarmEmail: both.join() }).alarmEmails).toEqual(both);
});

it('a stage that keeps its data is deployed to the account and region of its file', () => {
  expect(withFile(told).environment).toEqual(environment);
  expect(settingsFrom({}).environment).toBeUndefined();
});

it('the clients are those of 0.3 where none are named', () => {
  const usual = { dialer: ['outbound/dial'], integration: ['outbound/read', 'outbound/write'] };
  expect(withFile(told).clients).toEqual(usual);
  const shared = ['outbound/read', 'outbound/write', 'outbound/dial'];
  expect(withFile({ ...told, sharedClient: 'keep' }).clients).toEqual({ ...usual, shared });
  expect(withFile({ ...told, clients: {} }).clients).toEqual({});
});
