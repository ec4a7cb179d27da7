import type { Command } from '../../../local/dynamodb/embedded-client.ts';
import { alike, pairs, tests } from './condition-proofs.ts';

type Names = Record<string, unknown>;
/** A write, alone or as a part of a transaction. */
type Write = {
  Item?: Names;
  Key?: Names;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Names;
  ExpressionAttributeValues?: Names;
};
type Statement = { Statement: string; Parameters: unknown[] };

/**
 * One condition of a command: which kind of item it guards and how, and the same command without
 * it.
 */
type Guarded = { condition: string; without: () => Command };

const always = 'attribute_exists(pk) OR attribute_not_exists(pk)';

/** What differs between items of a kind. */
const differing: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^AGENDA#.*/, 'AGENDA#*'],
  [/^(NAME#\w+#).*(?= N$)/, '$1*'],
  [/^ONCE#\S+ (\w+).*/, 'ONCE#* $1'],
  [/^(TASK#\w+#CALLS#).*/, '$1*'],
  [/^DS#[^# ]+/, 'DS#*'],
  [/(?<= RECEIVED#).*/, '*'],
  // Ids, also of calls.
  [/[0-9a-hjkmnp-tv-z]{16}(-\d+-\w+)?/g, '*'],
  [/\+?\d+/g, '0'],
];

/** The same for all items of a kind. */
const kindOf = ({ Item, Key }: Write) => {
  const { pk, sk } = (Item ?? Key) as { pk: string; sk: string };
  return differing.reduce((text, [pattern, instead]) => text.replace(pattern, instead), `${pk} ${sk}`);
};

/** Attributes that are named after a task, or after a second. */
const named = /(?<=call#)\w+|(?<=^|\()t[0-9a-z]{6,}/g;

/** The condition without names of attributes that differ, and without needless parentheses. */
const wordsOf = (conjunct: string, names: Names): string => {
  const words = conjunct.replaceAll(/#\w+/g, (name) => String(names[name] ?? name));
  const [, inner = words] = /^\(((?:[^()]|\([^()]*\))*)\)$/.exec(words) ?? [];
  return inner.replace(/^\S+ = :[cn]\d+$/, '* = :count').replaceAll(named, '*');
};

/** The parts of a condition that must all hold. */
const conjunctsOf = (condition: string): string[] => {
  const parts = [''];
  let depth = 0;
  for (const word of condition.split(/(?<=[()])|(?=[()])|(?<= )|(?= )/)) {
    if (word === '(') depth++;
    if (word === ')') depth--;
    if (word === 'AND' && depth === 0) parts.push('');
    else parts[parts.length - 1] += word;
  }
  return parts.map((part) => part.trim());
};

/** DynamoDB refuses names and values that nothing uses, and an empty map of them. */
const usedIn = (text: string, all: Names = {}) => {
  const used = Object.entries(all).filter(([name]) => new RegExp(`${name}\\b`).test(text));
  return used.length === 0 ? undefined : Object.fromEntries(used);
};

const withoutConjunct = (write: Write, conjuncts: readonly string[], at: number): Write => {
  const others = conjuncts.filter((_, i) => i !== at);
  const ConditionExpression = others.length === 0 ? always : others.join(' AND ');
  const text = `${ConditionExpression} ${write.UpdateExpression ?? ''}`;
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values, ...rest } = write;
  const [usedNames, usedValues] = [usedIn(text, names), usedIn(text, values)];
  return {
    ...rest,
    ConditionExpression,
    ...(usedNames && { ExpressionAttributeNames: usedNames }),
    ...(usedValues && { ExpressionAttributeValues: usedValues }),
  };
};

type Guard = { condition: string; without: () => Write };

const guardsOf = (kind: string, write: Write): Guard[] => {
  const { ConditionExpression, ExpressionAttributeNames = {} } = write;
  if (ConditionExpression === undefined || ConditionExpression === always) return [];
  const conjuncts = conjunctsOf(ConditionExpression);
  return conjuncts.map((conjunct, at) => ({
    condition: `${kind} ${kindOf(write)} if ${wordsOf(conjunct, ExpressionAttributeNames)}`,
    without: () => withoutConjunct(write, conjuncts, at),
  }));
};

const withInput = (command: Command, input: object): Command =>
  Object.assign(Object.create(command), { input: { ...command.input, ...input } });

type Input = Write & {
  TransactItems?: Record<string, Write>[];
  Statements?: Statement[];
};

const version = ' AND "v" = ?';

/** Of an update in a batch: it ends with the keys and the version. */
const statementGuard = (command: Command, all: readonly Statement[], at: number): Guarded[] => {
  const { Statement, Parameters } = all[at]!;
  if (!Statement.endsWith(version)) return [];
  const without = { Statement: Statement.slice(0, -version.length), Parameters: Parameters.slice(0, -1) };
  return [
    {
      condition: Statement.replace(/ "[^"]+"/, ''),
      without: () => withInput(command, { Statements: all.with(at, without) }),
    },
  ];
};

/** Every condition of the command. */
export const conditionsIn = (command: Command): Guarded[] => {
  const input = command.input as Input;
  const { TransactItems: steps = [], Statements: statements = [] } = input;
  const name = (command.constructor as { name: string }).name.replace('Command', '');
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...rest } = input;
  return [
    ...guardsOf(name, input).map((guard) => ({
      ...guard,
      without: () => Object.assign(Object.create(command), { input: { ...rest, ...guard.without() } }),
    })),
    ...steps.flatMap((step, at) =>
      Object.entries(step).flatMap(([kind, write]) =>
        guardsOf(kind, write).map((guard) => ({
          ...guard,
          without: () => withInput(command, { TransactItems: steps.with(at, { [kind]: guard.without() }) }),
        })),
      ),
    ),
    ...statements.flatMap((_, at) => statementGuard(command, statements, at)),
  ];
};

/** The condition that no write of the engines has while it is set. */
export const dropped: { condition: string | undefined } = { condition: undefined };

/** The command without the condition, wherever it has it. */
export const withoutCondition = (command: Command, condition: string | undefined): Command => {
  if (condition === undefined) return command;
  const found = conditionsIn(command).find((each) => each.condition === condition);
  return found === undefined ? command : withoutCondition(found.without(), condition);
};

const listed: ReadonlySet<string> = new Set([
  ...Object.keys(pairs),
  ...Object.values(tests).flat(),
  ...Object.keys(alike),
]);

/** So no test can make a write whose condition has no proof. @throws when one is not listed */
export const assertListed = (command: Command): void => {
  for (const { condition } of conditionsIn(command))
    if (!listed.has(condition)) throw new Error(`condition-proofs.ts does not list: ${condition}`);
};
