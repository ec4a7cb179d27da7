export * from './rules/call.ts';
export * from './rules/timeline.ts';
