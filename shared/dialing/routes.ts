export { lease, reportCalls, seeCallsOfDay } from './access.ts';
export { standing } from './routes/contact-standing.ts';
export {
  extendLease,
  failTask,
  leaseCalls,
  recallTask,
  releaseCall,
  reportResult,
  reportResults,
} from './routes/dialer.ts';
