import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DialingApi } from '../support/dialing/dialing-api.ts';
import { examples, hasPython, runPython, startPython } from '../support/run/python.ts';
import { accessToken } from '../support/service/api.ts';
import { startEventService } from '../support/service/event-service.ts';
import { aDataDir } from '../support/service/service-process.ts';
import { eventually } from '../support/service/webhook-receiver.ts';

const follower = path.join(examples, 'event_follower.py');

/** What the follower has stored: the calls of all contacts. */
const storedCalls = async (folder: string): Promise<number> => {
  const query = 'SELECT COALESCE(SUM(calls), 0) FROM outcomes';
  const program = `import sqlite3; print(*sqlite3.connect("followed.db").execute("${query}").fetchone())`;
  return Number((await runPython(['-c', program], folder, {}))[0]);
};

describe.skipIf(!hasPython)('the follower of events in Python', () => {
  it('counts every call once, though it is killed again and again', async () => {
    const api = await startEventService();
    const dialing = new DialingApi(api);
    const folder = await aDataDir();
    const settings = { BASE_URL: api.url, TOKEN: accessToken, PAUSE_SECONDS: '0.01' };
    const start = () => startPython([follower], folder, settings);
    const { id } = await dialing.aRunningTask(60);
    let running = start();
    for (let calls = await dialing.lease({ taskId: id, limit: 5 }); calls.length > 0; ) {
      for (const { callId } of calls) await dialing.report(callId, 'success', 1);
      // It is killed in the middle of the events that it prints.
      await eventually(
        () => running.lines,
        (lines) => lines.length > 0,
      );
      running.child.kill('SIGKILL');
      await running.ended;
      running = start();
      calls = await dialing.lease({ taskId: id, limit: 5 });
    }
    expect(
      await eventually(
        () => storedCalls(folder),
        (calls) => calls >= 60,
      ),
    ).toBe(60);
    running.child.kill('SIGKILL');
  });
});
