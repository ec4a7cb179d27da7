import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { App, type Stack, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { settingsFrom } from '../../../lib/settings/settings.ts';
import { OutboundStack } from '../../../lib/stack.ts';

const { context: flags } = JSON.parse(
  readFileSync(new URL('../../../cdk.json', import.meta.url), 'utf8'),
) as {
  context: Record<string, unknown>;
};

export type Resource = {
  Type: string;
  Properties: Record<string, unknown>;
  DependsOn?: string | string[];
  DeletionPolicy?: string;
};
export type StackTemplate = { Resources: Record<string, Resource>; Outputs: Record<string, unknown> };

const withFolder = <T>(use: (folder: string) => T): T => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'outbound-synth-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Code stands apart from the template: what is in the bundles is tested with the bundles. */
const placeholder = (folder: string): string => {
  const code = path.join(folder, 'code');
  mkdirSync(code);
  writeFileSync(path.join(code, 'index.mjs'), 'export const handler = async () => {};\n');
  return code;
};

const stackIn = (app: App, code: string): Stack => {
  const settings = settingsFrom(app.node.getAllContext());
  return new OutboundStack(app, `outbound-${settings.stage}`, { settings, codeOf: () => code });
};

/** `bytes`: of the template as it is uploaded. */
type Synthesized = {
  template: Template;
  json: StackTemplate;
  bytes: number;
  terminationProtection: boolean;
};

/** No trace of where in the code each construct was made: tests ask for what is made. */
const untraced = { 'aws:cdk:disable-creation-stack-traces': true };

const appIn = (folder: string, context: Record<string, unknown>, validated: boolean): App =>
  new App({
    outdir: path.join(folder, 'out'),
    context: { ...flags, ...untraced, ...context },
    treeMetadata: false,
    builtinCloudFormationValidation: validated,
  });

/**
 * The template as `cdk synth -c name=value` makes it, made anew. CloudFormation's own rules are
 * held against it in `findings`: they take several times as long as the template.
 */
export const synthesize = (context: Record<string, unknown> = {}): Synthesized =>
  withFolder((folder) => {
    const app = appIn(folder, context, false);
    const stack = stackIn(app, placeholder(folder));
    const template = Template.fromStack(stack);
    const { terminationProtection = false } = stack;
    const bytes = statSync(path.join(folder, 'out', stack.templateFile)).size;
    return { template, json: template.toJSON() as StackTemplate, bytes, terminationProtection };
  });

const made = new Map<string, Synthesized>();

/** The same, made once for all who ask. */
export const synthesized = (context: Record<string, unknown> = {}): Synthesized => {
  const key = JSON.stringify(context);
  const found = made.get(key) ?? synthesize(context);
  made.set(key, found);
  return found;
};

/**
 * What the rules of AwsSolutions and CloudFormation find, unexplained; `change` may spoil the stack
 * first.
 */
export const findings = (context: Record<string, unknown>, change: (stack: Stack) => void = () => {}) =>
  withFolder((folder): string => {
    const app = appIn(folder, context, true);
    change(stackIn(app, placeholder(folder)));
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    try {
      app.synth();
      return '';
    } catch (error) {
      return String(error);
    }
  });

export const resourcesOf = (template: StackTemplate, type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);

const namesIn = (template: unknown): string[] => {
  if (Array.isArray(template)) return template.flatMap(namesIn);
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([key, value]) => {
    if (key === 'Ref') return [value as string];
    if (key === 'Fn::GetAtt') return [(value as string[])[0] as string];
    if (key !== 'Fn::Sub') return namesIn(value);
    const [text] = [value].flat() as [string];
    return [...text.matchAll(/\$\{([^.}!]+)/g)].map((match) => match[1] as string);
  });
};

/**
 * The resources that one of them names: CloudFormation makes those first, and deletes them last.
 */
export const dependenciesOf = ({ Resources }: StackTemplate, id: string): Set<string> => {
  const { Properties, DependsOn = [] } = Resources[id] as Resource;
  return new Set([...namesIn(Properties), ...[DependsOn].flat()].filter((name) => !name.startsWith('AWS::')));
};
