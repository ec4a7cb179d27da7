export {
  completeTask,
  countCalls,
  endCalls,
  findTask,
  listTaskHeaders,
  moveCalls,
  putTask,
  reconsiderAll,
  scheduleCalls,
  scheduleCallsAgain,
  scheduleEnd,
  stopOverdue,
} from './access.ts';
export * from './routes/task-moves.ts';
export * from './routes/tasks.ts';
