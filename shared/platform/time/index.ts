export * from './schedule.ts';
export * from './time.ts';
export * from './zones.ts';
