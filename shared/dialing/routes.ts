export { lease, reportCalls, seeCallsOfDay } from './access.ts';
export * from './routes/contact-standing.ts';
export * from './routes/dialer.ts';
