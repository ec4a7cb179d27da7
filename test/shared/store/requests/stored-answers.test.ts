import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StoredAnswers } from '../../../../shared/store/requests/index.ts';
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

  const hold = (owner: string, at = now, by = answers) =>
    by.hold(id, { status: 'INPROGRESS', expires, body: 'hash', owner, until: at + 1000 }, at);

  it('are held by one owner until the hold expires or is released', async () => {
    expect(await hold('one-a')).toBeUndefined();
    expect(await hold('one-a')).toBeUndefined();
    expect(await hold('one-b')).toMatchObject({ status: 'INPROGRESS', owner: 'one-a', until, body: 'hash' });
    expect(await hold('one-b', until)).toBeUndefined();
    await answers.release(id, 'one-a');
    expect(await hold('one-c', until)).toMatchObject({ owner: 'one-b' });
    await answers.release(id, 'one-b');
    expect(await hold('one-c', until)).toBeUndefined();
  });

  it.each([undefined, '{"code":200}'])('stay after their hold until they expire: %s', async (answer) => {
    await hold('one-a');
    await answers.store(id, { status: 'COMPLETED', expires, answer });
    await answers.release(id, 'one-a');
    expect(await hold('one-b', until + 1)).toMatchObject({ status: 'COMPLETED', expires, answer });
    expect(await hold('one-b', (expires + 1) * 1000)).toBeUndefined();
  });

  it('are free of the holds of other processes where there can be none', async () => {
    await hold('one-a');
    const sole = new StoredAnswers(table.database, 'two-', true);
    expect(await hold('two-a', now, sole)).toBeUndefined();
    expect(await hold('two-b', now, sole)).toMatchObject({ owner: 'two-a' });
    await sole.store(id, { status: 'COMPLETED', expires, answer: '{}' });
    expect(await hold('three-a', now, new StoredAnswers(table.database, 'three-', true))).toMatchObject({
      answer: '{}',
    });
  });
});
