export { CallReader } from './call-reader.ts';
export { TaskCounts } from './task-counts.ts';
export { TaskInsight } from './task-insight.ts';
