import { describe, expect, it } from 'vitest';
import { routes } from '../../../../shared/app/all-routes.ts';
import { publishEvents } from '../../../../shared/app/event-functions.ts';
import { onFileLambda } from '../../../../shared/app/runtime/files.ts';
import { onLambda } from '../../../../shared/app/runtime/lambda.ts';
import { openTasks } from '../../../../shared/app/runtime/tasks.ts';
import { highestMaxRows } from '../../../../shared/platform/rules/files.ts';
import {
  readEnvironment,
  serviceSettings,
  variablesFor,
} from '../../../../shared/platform/settings/settings.ts';

const handlerOf = () => async () => {};

describe('the environment of a function', () => {
  it('has the variables of what its entry declares', () => {
    const all = variablesFor({});
    expect(variablesFor(routes.addTask.access)).toEqual([...all, 'TABLE_NAME']);
    expect(variablesFor(routes.batchImport.access)).toEqual([...all, 'TABLE_NAME', 'BUCKET_NAME']);
    expect(variablesFor(publishEvents.access)).toEqual([...all, 'EVENT_BUS_NAME']);
  });

  it('is read with defaults, and names a needed variable that is not set', () => {
    const env = readEnvironment(routes.addTask.access, { TABLE_NAME: 'a-table', STAGE: '' });
    expect(env).toMatchObject({ TABLE_NAME: 'a-table', STAGE: 'none', SERVICE_TIME_ZONE: 'UTC' });
    for (const unset of [{ TABLE_NAME: 'a-table' }, { EVENT_BUS_NAME: '' }])
      expect(() => readEnvironment(publishEvents.access, unset)).toThrow('EVENT_BUS_NAME is not set');
  });

  it('has at most so many rows of a file', () => {
    const rows = (count: number) => serviceSettings({ IMPORT_MAX_ROWS: String(count) }).importMaxRows;
    expect([rows(1), rows(highestMaxRows)]).toEqual([1, highestMaxRows]);
    for (const count of [0, highestMaxRows + 1])
      expect(() => rows(count)).toThrow(`IMPORT_MAX_ROWS must be a whole number from 1 to ${highestMaxRows}`);
  });

  it('does not compile without what the function uses', () => {
    const { access } = routes.addTask;
    // @ts-expect-error: the route does not declare the bucket
    expect(readEnvironment(access, { TABLE_NAME: 'a-table' }).BUCKET_NAME).toBeUndefined();
    // @ts-expect-error: the route does not declare the bucket
    onFileLambda(routes.addTask, handlerOf);
    // @ts-expect-error: the route does not declare the table
    onLambda(routes.describeService, openTasks, handlerOf);
    onFileLambda(routes.batchImport, handlerOf);
    onLambda(routes.addTask, openTasks, handlerOf);
  });
});
