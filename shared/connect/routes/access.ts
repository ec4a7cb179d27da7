import { lease, reportCalls } from '../../dialing/routes/access.ts';
import { type Grant, grant } from '../../platform/api/route.ts';

export const endConnectCall = grant(['DeleteItem'], 'CONNECT');
/**
 * Leases calls, stores the calls that Connect is making and the claim to start them, and reports
 * refused calls.
 */
export const pumpLines: readonly Grant[] = [
  ...lease,
  ...reportCalls,
  grant(['Query', 'PutItem', 'DeleteItem'], 'CONNECT'),
  grant(['PutItem', 'DeleteItem'], 'CONNECT#TURN'),
];
export const findConnectContact = ['DescribeContact', 'GetContactAttributes'] as const;
