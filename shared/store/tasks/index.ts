export { AskedTimes, askedTimeOf } from './asked-times.ts';
export { minuteName, TaskTimeline } from './task-timeline.ts';
export { type TaskOfSource, Tasks } from './tasks.ts';
