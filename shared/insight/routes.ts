export { watchDialers } from './access.ts';
export { batchExport, exportCalls, exportTask } from './routes/exports.ts';
export { describeDay, describeService } from './routes/service.ts';
export * from './routes/task-insight.ts';
export * from './routes/task-preflight.ts';
