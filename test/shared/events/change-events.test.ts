import { expect, it } from 'vitest';
import { eventsOf } from '../../../shared/events/change-events.ts';
import { type Item, keys } from '../../../shared/platform/table/keys.ts';

it('tells nothing of items that appear, are removed, or are none of its concern', () => {
  const task: Item = { ...keys.task('a'), id: 'a', status: 1, version: 3 };
  expect(eventsOf({ after: task })).toEqual([]);
  expect(eventsOf({ before: { ...task, ...keys.dialState('a') } })).toEqual([]);
  expect(eventsOf({})).toEqual([]);
  expect(eventsOf({ before: task, after: { ...task, version: 4 } })).toEqual([]);
  const source: Item = { ...keys.dataSource('a'), status: 1 };
  expect(eventsOf({ before: source, after: { ...source, status: 2 } })).toEqual([]);
});
