import { ServiceError } from '../../shared/domain/errors.ts';
import { openContactFile } from '../../shared/files/contact-table.ts';
import { hostileFiles } from './hostile-files.ts';
import { largestFile } from './largest-file.ts';
import { canMeasure, forgetPeak, memoryNow, peakMemory } from './process-usage.ts';

const { pid } = process;

const outcomeOf = async (file: Uint8Array): Promise<string> => {
  try {
    for await (const _contact of (await openContactFile(file)).rows);
    return 'read';
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
};

/** Processor time in milliseconds, and by how many megabytes the process grew at its peak. */
const measured = async (name: string, file: Uint8Array) => {
  globalThis.gc?.();
  const memory = canMeasure ? memoryNow(pid) : 0;
  if (canMeasure) forgetPeak(pid);
  const before = process.cpuUsage();
  const outcome = await outcomeOf(file);
  const { user, system } = process.cpuUsage(before);
  const megabytes = canMeasure ? peakMemory(pid) - memory : 0;
  return { name, outcome, milliseconds: (user + system) / 1000, megabytes };
};

/** Prints what the largest file took, then what each hostile file took. */
const show = (usage: object) => process.stdout.write(`${JSON.stringify(usage)}\n`);
show({ ...(await measured('the largest file', largestFile())), expected: 'read' });
for (const { name, bytes, code } of hostileFiles()) {
  show({ ...(await measured(name, bytes)), expected: code });
}
