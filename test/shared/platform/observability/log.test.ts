import { describe, expect, it } from 'vitest';
import { describeError, maskPhones } from '../../../../shared/platform/observability/log.ts';

/** An error as V8 makes it in a bundle, which is one long line. */
const errorWith = (message: string, frames: readonly string[]) =>
  Object.assign(new Error(message), { stack: [`Error: ${message}`, ...frames].join('\n') });

const frames = [
  '    at Leases.lease (file:///var/task/index.mjs:2:148213)',
  '    at async file:///var/task/index.mjs:1:98765',
  '    at async Runtime.handleOnceNonStreaming (file:///var/runtime/index.mjs:1205:29)',
  '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  '    at async Promise.all (index 1)',
  '    at Array.map (<anonymous>)',
  '    at new Database (/tmp/build-20261116/index.mjs:1:12345)',
];

describe('an error in the log', () => {
  it('keeps every frame of its stack trace as it is', () => {
    const { stack } = describeError(errorWith('no answer', frames)) as { stack: string };
    expect(stack.split('\n').slice(1)).toEqual(frames);
  });

  it('shows no phone number of its message, however many lines that has', () => {
    const message = 'no contact 13800138000\n    at home (13800138000:1:13800138001)\nor +8613800138000';
    const { stack } = describeError(errorWith(message, frames)) as { stack: string };
    expect(stack).not.toMatch(/1380013/);
    expect(stack).toContain(frames[0]);
  });

  it('shows no phone number where the message was changed after the error was made', () => {
    const error = errorWith('no contact 13800138000', frames);
    error.message = 'another 13900139000';
    expect(JSON.stringify(describeError(error))).not.toMatch(/1380013|1390013/);
  });

  it('shows no phone number in the name of a function', () => {
    const { stack } = describeError(errorWith('x', ['    at Object.13800138000 (file:///a.mjs:1:2)'])) as {
      stack: string;
    };
    expect(stack).toBe('Error: x\n    at Object.*********00 (file:///a.mjs:1:2)');
  });
});

it('only the last two digits of a phone number stay', () => {
  expect(maskPhones('call 13800138000 at 10:02')).toBe('call *********00 at 10:02');
});
