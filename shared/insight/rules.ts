export { preflightView, taskToCheck } from './rules/preflight.ts';
export { overviewsAtMost, overviewView } from './rules/task-overview.ts';
export { type Language, languages, words } from './rules/words.ts';
