import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv, type ErrorObject } from 'ajv';
import { parseCallLimits } from '../../shared/platform/rules/call-limits.ts';
import { isClockRange, isCountry } from '../../shared/platform/settings/settings.ts';
import { isTimeZone } from '../../shared/platform/time/zones.ts';
import { type SettingName, type StageFile, settingNames, settingsSchema, stageSchema } from './schema.ts';

/** One line for the person who deploys: the setting, where it is set, and what it must be. */
export class StackSettingError extends Error {}

type Flags = Readonly<Record<string, unknown>>;
export type ReadText = (stage: string) => string | undefined;

const formats = {
  timeZone: isTimeZone,
  country: isCountry,
  clockRange: isClockRange,
  callLimits: (text: string) => parseCallLimits(text) !== undefined,
};
const ajv = new Ajv({ formats, allowUnionTypes: true });
const isStage = ajv.compile<string>(stageSchema);
const isStageFile = ajv.compile<StageFile>(settingsSchema);

const nameOf = (stage: string) => `stages/${stage}.json`;

const textIn: ReadText = (stage) => {
  const file = fileURLToPath(new URL(`../../${nameOf(stage)}`, import.meta.url));
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** The data of a disposable stage may be deleted with the stack. */
export const isDisposable = (stage: string) => stage === 'dev' || stage.startsWith('dev-');

const typesOf = (name: SettingName): unknown[] => {
  const schema: { type?: unknown; anyOf?: readonly object[] } = settingsSchema.properties[name] ?? {};
  return schema.anyOf?.map((each) => ('type' in each ? each.type : undefined)) ?? [schema.type];
};

/** A flag is a text, and is converted to the type of its setting. Empty: no setting. */
const flagValue = (name: SettingName, value: unknown): unknown => {
  const types = typesOf(name);
  if (value === '') return undefined;
  if (types.includes('integer') && /^\d+$/.test(String(value))) return Number(value);
  if (types.includes('boolean') && /^(true|false)$/.test(String(value))) return value === 'true';
  if (types.length === 1 && types[0] === 'array' && typeof value === 'string') return value.split(',');
  if (types.includes('array') && String(value).includes(',')) return String(value).split(',');
  return value;
};

/** The names in cdk's own context contain : / or @. */
const isFlag = (name: string) => /^[A-Za-z]+$/.test(name) && name !== 'stage';

const fileOf = (stage: string, read: ReadText): Record<string, unknown> => {
  const own = read(stage);
  // A personal dev stage without a file uses the settings of dev.
  const text = own ?? (isDisposable(stage) ? read('dev') : undefined);
  if (text === undefined && isDisposable(stage)) return {};
  if (text === undefined) {
    throw new StackSettingError(
      `${nameOf(stage)} is missing: a stage that keeps its data keeps its settings`,
    );
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (parsed?.constructor === Object) return parsed as Record<string, unknown>;
  } catch {}
  throw new StackSettingError(`${nameOf(own === undefined ? 'dev' : stage)} is not an object in JSON`);
};

const wordsFor = ({ keyword, params, instancePath }: ErrorObject, settings: Record<string, unknown>) => {
  if (keyword === 'additionalProperties') {
    return [params.additionalProperty, `is not a setting; the settings are ${settingNames.join(', ')}`];
  }
  if (keyword === 'dependencies')
    return [params.missingProperty, `is needed together with ${params.property}`];
  const name = instancePath.split('/')[1] as SettingName;
  const value = JSON.stringify(settings[name]);
  return [name, `must be ${settingsSchema.properties[name].description}, not ${value}`];
};

export type StageSettings = { stage: string; file: StageFile };

/**
 * The settings of a stage: those of its file, overridden by flags of cdk (`-c name=value`).
 * @throws StackSettingError
 */
export const stageSettings = (flags: Flags, read: ReadText = textIn): StageSettings => {
  const stage = flags.stage ?? 'dev';
  if (!isStage(stage))
    throw new StackSettingError(`-c stage: must be ${stageSchema.description}, not "${stage}"`);
  const given = Object.entries(flags).filter(([name]) => isFlag(name));
  const overrides = Object.fromEntries(
    given.map(([name, value]) => [name, flagValue(name as SettingName, value)]),
  );
  const merged = Object.fromEntries(
    Object.entries({ ...fileOf(stage, read), ...overrides }).filter(([, value]) => value !== undefined),
  );
  if (isStageFile(merged)) return { stage, file: merged };
  const [name, words] = wordsFor(isStageFile.errors?.[0] as ErrorObject, merged);
  const source = name in overrides ? '-c' : `${nameOf(stage)}:`;
  throw new StackSettingError([source, `${name}:`, words].join(' '));
};
