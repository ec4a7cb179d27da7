import type { Command } from '../../../local/dynamodb/embedded-client.ts';

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

/** One condition of a command: which kind of item it guards and how, which item, and the same command without it. */
export type Guarded = { condition: string; item: string; without: Command };

const ids = /[0-9a-hjkmnp-tv-z]{16}/g;
/** Attributes that are named after a task, or after a second. */
const named = /(?<=call#)\w+|(?<=\()t[0-9a-z]{6,}/g;
const always = 'attribute_exists(pk) OR attribute_not_exists(pk)';

const itemOf = ({ Item, Key }: Write): string => {
  const { pk, sk } = (Item ?? Key) as { pk: string; sk: string };
  return `${pk} ${sk}`;
};

/** The same for all items of a kind. */
const kindOf = (write: Write) =>
  itemOf(write)
    .replace(/^(NAME#\w+#).*(?= N$)/, '$1*')
    .replace('DS#do-not-call', 'DS#*')
    .replaceAll(ids, '*')
    .replaceAll(/\+?\d+/g, '0');

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

type Guard = { condition: string; item: string; without: Write };

const guardsOf = (kind: string, write: Write): Guard[] => {
  const { ConditionExpression, ExpressionAttributeNames = {} } = write;
  if (ConditionExpression === undefined) return [];
  const conjuncts = conjunctsOf(ConditionExpression);
  return conjuncts.map((conjunct, at) => {
    const words = conjunct.replaceAll(/#\w+/g, (name) => String(ExpressionAttributeNames[name] ?? name));
    return {
      condition: `${kind} ${kindOf(write)} if ${words.replaceAll(named, '*')}`,
      item: itemOf(write),
      without: withoutConjunct(write, conjuncts, at),
    };
  });
};

const withInput = (command: Command, input: object): Command =>
  Object.assign(Object.create(command), { input: { ...command.input, ...input } });

type Input = Write & {
  TransactItems?: Record<string, Write>[];
  Statements?: Statement[];
  RequestItems?: Record<string, Record<string, Write>[]>;
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
      item: Parameters.slice(-3, -1).join(' '),
      without: withInput(command, { Statements: all.with(at, without) }),
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
      without: Object.assign(Object.create(command), { input: { ...rest, ...guard.without } }) as Command,
    })),
    ...steps.flatMap((step, at) =>
      Object.entries(step).flatMap(([kind, write]) =>
        guardsOf(kind, write).map((guard) => ({
          ...guard,
          without: withInput(command, { TransactItems: steps.with(at, { [kind]: guard.without }) }),
        })),
      ),
    ),
    ...statements.flatMap((_, at) => statementGuard(command, statements, at)),
  ];
};

/** Every item that the command writes. */
export const itemsWrittenBy = (command: Command): string[] => {
  const input = command.input as Input;
  const batch = Object.values(input.RequestItems ?? {}).flatMap((requests) =>
    Array.isArray(requests) ? requests.flatMap((each) => Object.values(each)) : [],
  );
  const steps = (input.TransactItems ?? []).flatMap((step) =>
    step.ConditionCheck ? [] : Object.values(step),
  );
  const isRead = /^(Get|Query|BatchGet)/.test((command.constructor as { name: string }).name);
  const own = !isRead && (input.Item ?? input.Key) ? [input] : [];
  const statements = (input.Statements ?? []).map(({ Parameters }) => Parameters.slice(-3, -1).join(' '));
  return [...[...own, ...steps, ...batch].map(itemOf), ...statements];
};

/** The command without the condition, if it has it. */
export const withoutCondition = (command: Command, condition: string | undefined): Command =>
  conditionsIn(command).find((each) => each.condition === condition)?.without ?? command;
