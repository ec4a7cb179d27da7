import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it.each(['light', 'dark'])('the moving picture in %s loads quickly', async (scheme) => {
  const file = await readFile(new URL(`../../docs/pictures/campaign-${scheme}.gif`, import.meta.url));
  expect(file.toString('latin1', 0, 6)).toBe('GIF89a');
  expect(file.length).toBeLessThan(1_500_000);
});
