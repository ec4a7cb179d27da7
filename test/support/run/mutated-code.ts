import { readdirSync } from 'node:fs';
import path from 'node:path';

// Loads the mutated code before every test. What runs while a module is loaded concerns all tests;
// loaded within a test, it would count as that test's alone.

const code = path.resolve(process.env.MUTATE_CODE ?? '');
const within = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name));
for (const file of code.endsWith('.ts') ? [code] : within(code)) await import(file);
