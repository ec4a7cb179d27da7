import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StoredAnswers } from '../../../../shared/platform/requests/stored-answers.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';

const now = 1_700_000_000_000;
const expires = now / 1000 + 86_400;
const until = now + 1000;

describe.each(engines)('stored answers on $name', ({ open }) => {
  let table: OpenTable;
  let answers: StoredAnswers;
  let id: string;
  let ids = 0;
  beforeAll(async () => {
    table = await open();
    answers = new StoredAnswers(table.database, 'one-');
  });
  afterAll(() => table.close());
  beforeEach(() => {
    id = `request${ids++}`;
  });

  const claim = (owner: string, at = now, by = answers) =>
    by.claim(id, { status: 'INPROGRESS', expires, body: 'hash', owner, until: at + 1000 }, at);

  it('are claimed by one owner until the claim expires or is released', async () => {
    expect(await claim('one-a')).toBeUndefined();
    expect(await claim('one-a')).toBeUndefined();
    expect(await claim('one-b')).toMatchObject({ status: 'INPROGRESS', owner: 'one-a', until, body: 'hash' });
    expect(await claim('one-b', until)).toBeUndefined();
    await answers.release(id, 'one-a');
    expect(await claim('one-c', until)).toMatchObject({ owner: 'one-b' });
    await answers.release(id, 'one-b');
    expect(await claim('one-c', until)).toBeUndefined();
  });

  it.each([undefined, '{"code":200}'])('stay after their claim until they expire: %s', async (answer) => {
    await claim('one-a');
    await answers.store(id, { status: 'COMPLETED', expires, answer });
    await answers.release(id, 'one-a');
    expect(await claim('one-b', until + 1)).toMatchObject({ status: 'COMPLETED', expires, answer });
    expect(await claim('one-b', (expires + 1) * 1000)).toBeUndefined();
  });

  it('are free of the claims of other processes where there can be none', async () => {
    await claim('one-a');
    const sole = new StoredAnswers(table.database, 'two-', true);
    expect(await claim('two-a', now, sole)).toBeUndefined();
    expect(await claim('two-b', now, sole)).toMatchObject({ owner: 'two-a' });
    await sole.store(id, { status: 'COMPLETED', expires, answer: '{}' });
    expect(await claim('three-a', now, new StoredAnswers(table.database, 'three-', true))).toMatchObject({
      answer: '{}',
    });
  });
});
