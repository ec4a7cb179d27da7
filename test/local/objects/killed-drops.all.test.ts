import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import type { Arrival } from '../../../local/objects/arrivals.ts';
import { aLocalStore } from '../../support/service/local-store.ts';
import { aFolder, until } from '../../support/service/object-store.ts';
import { programOf } from '../../support/service/program.ts';

it('the drop folder hands a file over again after kill -9 before the end of its import, as the same import', async () => {
  const dataDir = await aFolder();
  await mkdir(path.join(dataDir, 'imports/1'), { recursive: true });
  await writeFile(path.join(dataDir, 'imports/1/f.csv'), 'acknowledged');
  const script = await programOf('test/support/service/drop-and-hang.ts');
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  child.kill('SIGKILL');
  await once(child, 'exit');
  const arrived: Arrival[] = [];
  await aLocalStore({ dataDir, onArrived: (arrival) => void arrived.push(arrival) });
  await until(() => arrived.length === 1);
  expect(arrived).toEqual([JSON.parse(line)]);
  expect(arrived).toMatchObject([{ key: 'imports/1/f.csv', size: 12 }]);
});
