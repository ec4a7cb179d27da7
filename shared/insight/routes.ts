export { watchDialers } from './access.ts';
export { batchExport, exportCalls, exportTask } from './routes/exports.ts';
export { describeDay, describeService } from './routes/service.ts';
export {
  taskBoard,
  taskContacts,
  taskOverview,
  taskOverviews,
  taskStat,
  taskTimeline,
} from './routes/task-insight.ts';
export { preflightBlocked, preflightTask } from './routes/task-preflight.ts';
