export { findCalls, seeCalls } from './access.ts';
export * from './routes/calls.ts';
