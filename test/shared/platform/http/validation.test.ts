import { describe, expect, it } from 'vitest';
import { allRoutes, routes } from '../../../../shared/app/all-routes.ts';
import * as checks from '../../../../shared/app/generated/index.js';
import type { Validator } from '../../../../shared/platform/api/route.ts';
import {
  assertValid,
  coerced,
  dropNulls,
  keywordMessages,
} from '../../../../shared/platform/http/validation.ts';
import type { ServiceError } from '../../../../shared/platform/rules/errors.ts';
import { wordsOfPattern } from '../../../../shared/platform/rules/names.ts';

const { listTasks } = routes;

/** Keywords that say what is not valid; those that only describe or carry others are left out. */
const silent = new Set([
  'examples',
  'properties',
  'items',
  'additionalProperties',
  'default',
  'description',
  'title',
]);

const keywordsIn = (schema: unknown): Set<string> => {
  if (typeof schema !== 'object' || schema === null) return new Set();
  if (Array.isArray(schema)) return new Set(schema.flatMap((part) => [...keywordsIn(part)]));
  const { properties = {}, items, additionalProperties, pattern } = schema as Record<string, unknown>;
  if (pattern !== undefined) expect(wordsOfPattern(pattern)).toMatch(/for example/);
  return new Set([
    ...Object.keys(schema).filter((keyword) => !silent.has(keyword)),
    ...keywordsIn([...Object.values(properties as object), items, additionalProperties]),
  ]);
};

const errorOf = (validator: Validator | undefined, data: unknown): ServiceError => {
  try {
    assertValid(validator, data, 'body');
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('it was valid');
};

describe('validation', () => {
  it('names every wrong field, and the first three in its message', () => {
    const error = errorOf(checks.addTask.body, { taskName: 1, taskDesc: 1, priority: 9, maxDialCount: 'x' });
    expect(error.errors.map(({ field }) => field).sort()).toEqual([
      ...['dataSourceId', 'maxDialCount', 'priority', 'taskDesc', 'taskName'],
    ]);
    expect(error.message.split('; ')).toHaveLength(3);
  });

  it('names elements of lists by their index', () => {
    expect(errorOf(checks.recallTask.body, { contactIds: ['x', 5] }).errors[0]?.field).toBe('contactIds.1');
  });

  it('shows at most 20 complaints', () => {
    const contactIds = Array.from({ length: 1000 }, () => 5);
    expect(errorOf(checks.recallTask.body, { contactIds }).errors).toHaveLength(20);
  });

  it('shows the beginning of a name that a client made up', () => {
    const name = 'x'.repeat(100);
    const task = { taskName: 'x', dataSourceId: 'y', callSettings: { [name]: 'z' } };
    const told = JSON.stringify(errorOf(checks.addTask.body, task).errors);
    expect(told).toContain(name.slice(0, 80));
    expect(told).not.toContain(name.slice(0, 81));
  });

  it('says which values a choice has', () => {
    expect(errorOf(checks.exportTask.query, { format: 'pdf' }).message).toBe(
      'format: must be one of csv, excel',
    );
  });

  it.each([
    [{ dailyStartTime: '9:00' }, 'use HH:MM, for example 09:00'],
    [{ callUntil: '2026-05-01' }, 'use YYYY-MM-DD HH:MM, for example 2026-05-01 09:00'],
  ])('says how to write %j, not the pattern it is checked with', (wrong, message) => {
    const task = { taskName: 'x', dataSourceId: 'y', ...wrong };
    expect(errorOf(checks.addTask.body, task).errors).toEqual([
      { field: Object.keys(wrong)[0], code: 'BAD_FORMAT', message },
    ]);
  });

  it('refuses an entry that comes twice', () => {
    const types = ['call.ended', 'call.ended'];
    expect(errorOf(checks.addWebhook.body, { url: 'https://x', types }).errors).toContainEqual(
      expect.objectContaining({ field: 'types', code: 'DUPLICATE' }),
    );
  });

  it('has words of its own for everything that the schemas of requests ask for', () => {
    for (const keyword of keywordsIn(allRoutes.flatMap(({ params, query, body }) => [params, query, body]))) {
      expect(Object.keys(keywordMessages), keyword).toContain(keyword);
    }
  });

  it.each([
    [{ taskName: 7 }, 'taskName', 'WRONG_TYPE', 'must be a string'],
    [{ priority: 0 }, 'priority', 'TOO_SMALL', 'must be at least 1'],
    [{ priority: 6 }, 'priority', 'TOO_LARGE', 'must be at most 5'],
    [{ taskDesc: 'x'.repeat(2001) }, 'taskDesc', 'TOO_LONG', 'must have at most 2000 characters'],
    [{ dataSourceId: undefined }, 'dataSourceId', 'REQUIRED', 'is required'],
  ])('gives %j a code to translate by', (wrong, field, code, message) => {
    const task = { taskName: 'x', dataSourceId: 'y', ...wrong };
    expect(errorOf(checks.addTask.body, task).errors).toEqual([{ field, code, message }]);
  });

  it('says what each keyword asks for', () => {
    const params = {
      ...{ type: ['string', 'integer', 'null'], allowedValues: ['a', 1], limit: 1, propertyName: 'n' },
      ...{ pattern: 'unknown', advice: 'did you mean x?' },
    };
    const words = Object.entries(keywordMessages).map(([keyword, { words }]) => [keyword, words(params)]);
    expect(Object.fromEntries(words)).toEqual({
      required: 'is required',
      type: 'must be a string, a whole number or null',
      enum: 'must be one of a, 1',
      minimum: 'must be at least 1',
      maximum: 'must be at most 1',
      minLength: 'must have at least 1 character',
      maxLength: 'must have at most 1 character',
      minItems: 'must have at least 1 entry',
      maxItems: 'must have at most 1 entry',
      maxProperties: 'must have at most 1 entry',
      propertyNames: 'must not have the name "n"',
      additionalProperties: 'did you mean x?',
      uniqueItems: 'must not have the same entry twice',
      pattern: 'does not have the required format',
    });
  });

  it('names a field with a slash or a tilde in it as it is', () => {
    const error = errorOf(checks.addContact.body, { phoneNumber: '123', 'a/b~c': [] });
    expect(error.errors[0]?.field).toBe('a/b~c');
  });

  it('fills in what is not given', () => {
    const query = coerced(listTasks.query, {});
    assertValid(checks.listTasks.query, query, 'query');
    expect(query).toEqual({ pageNum: 1, pageSize: 20 });
  });

  it('has nothing to say where nothing is declared', () => {
    expect(() => assertValid(undefined, 'anything', 'body')).not.toThrow();
  });
});

describe('null in a body', () => {
  const dropped = (schema: object, body: object) => {
    dropNulls(schema, body);
    return body;
  };
  const text = { type: 'string' };

  it('is dropped where the field is optional, also within lists and objects', () => {
    const entry = { type: 'object', properties: { a: text, b: text }, required: ['a'] };
    const schema = { properties: { one: entry, many: { type: 'array', items: entry } } };
    const body = { one: { a: 'x', b: null }, many: [{ a: null, b: null }, null] };
    expect(dropped(schema, body)).toEqual({ one: { a: 'x' }, many: [{ a: null }, null] });
  });

  it('stays where the field is required, not declared, or may be null', () => {
    const schema = {
      properties: { needed: text, open: { type: ['string', 'null'] } },
      required: ['needed'],
    };
    const body = { needed: null, open: null, other: null };
    expect(dropped(schema, body)).toEqual({ needed: null, open: null, other: null });
  });
});

describe('query values', () => {
  const numberOf = (pageNum: string) => coerced(listTasks.query, { pageNum }).pageNum;

  it('become numbers only when they are plain whole ones', () => {
    expect(['1', '007', '-5', '+2', '0'].map(numberOf)).toEqual([1, 7, -5, 2, 0]);
    for (const text of ['1.0', '1e3', '0x10', ' 1', '1 ', 'one', '１', '--1', '9'.repeat(21)]) {
      expect(numberOf(text)).toBe(text);
    }
  });

  it('stay text where text is declared', () => {
    expect(coerced(listTasks.query, { taskName: '5' })).toEqual({ taskName: '5' });
  });

  it('count as not given when empty, and only own properties count', () => {
    expect(coerced(listTasks.query, { taskName: '', status: '', pageNum: '' })).toEqual({});
    expect(coerced({ properties: { toString: { type: 'string' } } }, {})).toEqual({});
  });
});
