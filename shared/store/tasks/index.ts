export { type AdjustedTask, AdjustedTasks, type LinePosition } from './adjusted-tasks.ts';
export { AskedTimes, askedTimeOf } from './asked-times.ts';
export { Roster, type RosterEntry } from './roster.ts';
export { TaskEnds } from './task-ends.ts';
export { minuteName, TaskTimeline } from './task-timeline.ts';
export { type TaskOfSource, Tasks } from './tasks.ts';
