export { AskedTimes, askedTimeOf } from './asked-times.ts';
export { readCounterItems, readWithParts } from './counter-items.ts';
export { dayMark, ServiceDays } from './service-days.ts';
export { minuteName, TaskTimeline, talkName } from './task-timeline.ts';
export { type TaskOfSource, Tasks } from './tasks.ts';
