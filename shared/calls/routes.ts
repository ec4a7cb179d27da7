export { findCalls, seeCalls } from './access.ts';
export { annotateCall, callDetail, callRecord, callTag, range, taskCallList } from './routes/calls.ts';
