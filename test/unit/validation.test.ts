import { describe, expect, it } from 'vitest';
import * as checks from '../../shared/api/generated/index.js';
import { listTasks } from '../../shared/api/routes.ts';
import type { Validator } from '../../shared/api/validators.ts';
import type { ServiceError } from '../../shared/domain/errors.ts';
import { assertValid, coerced } from '../../shared/http/validation.ts';

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

  it('names elements of lists by their place', () => {
    expect(errorOf(checks.recallTask.body, { contactIds: ['x', 5] }).errors[0]?.field).toBe('contactIds.1');
  });

  it('shows at most 20 complaints', () => {
    const contactIds = Array.from({ length: 1000 }, () => 5);
    expect(errorOf(checks.recallTask.body, { contactIds }).errors).toHaveLength(20);
  });

  it('says which values a choice has', () => {
    expect(errorOf(checks.exportTask.query, { format: 'pdf' }).message).toBe(
      'format: must be one of csv, excel',
    );
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

describe('query values', () => {
  const numberOf = (pageNum: string) => coerced(listTasks.query, { pageNum }).pageNum;

  it('become numbers only when they are plain whole ones', () => {
    expect(['1', '007', '-5', '+2', '0'].map(numberOf)).toEqual([1, 7, -5, 2, 0]);
    for (const text of ['1.0', '1e3', '0x10', ' 1', '1 ', '', 'one', '１', '--1', '9'.repeat(21)]) {
      expect(numberOf(text)).toBe(text);
    }
  });

  it('stay text where text is declared', () => {
    expect(coerced(listTasks.query, { taskName: '5' })).toEqual({ taskName: '5' });
  });

  it('are no filter when empty, and only own properties count', () => {
    expect(coerced(listTasks.query, { taskName: '', status: '' })).toEqual({});
    expect(coerced({ properties: { toString: { type: 'string' } } }, {})).toEqual({});
  });
});
