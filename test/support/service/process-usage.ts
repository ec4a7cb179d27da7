import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const ticksPerSecond = 100;
const megabyte = 1024;

/** Linux tells what another process uses; elsewhere there is nothing to measure with. */
export const canMeasure = existsSync('/proc/self/clear_refs');

/** Processor time of a process so far, in seconds. */
export const processorSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th value
  // behind it.
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(values[11]) + Number(values[12])) / ticksPerSecond;
};

const memoryOf = (pid: number, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / megabyte;

/** In megabytes: what it holds now, and the most it held since `forgetPeak`. */
export const memoryNow = (pid: number) => memoryOf(pid, 'VmRSS');
export const peakMemory = (pid: number) => memoryOf(pid, 'VmHWM');
export const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5');
