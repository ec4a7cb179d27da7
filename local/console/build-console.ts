import { builtConsole } from '../../console/build.ts';

await builtConsole();
