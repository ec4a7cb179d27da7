import { existsSync, readFileSync } from 'node:fs';
import { ServiceError } from '../../shared/domain/errors.ts';
import { readContactFile } from '../../shared/files/contact-file.ts';

/** Reads the file named on the command line and prints the outcome with its processor time and peak memory growth. */
const file = readFileSync(process.argv[2]!);
const memoryBefore = process.memoryUsage.rss();
const before = process.cpuUsage();
let code = 'read';
try {
  for await (const _contact of readContactFile(file));
} catch (error) {
  code = error instanceof ServiceError ? error.code : String(error);
}
const { user, system } = process.cpuUsage(before);
const grown = peakMemory() - memoryBefore;
console.log(
  JSON.stringify({ code, milliseconds: (user + system) / 1000, grownMegabytes: grown / 1024 / 1024 }),
);

/** On Linux what the operating system counts for the process may be its parent's peak; the kernel's own is not. */
function peakMemory(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1024;
}
