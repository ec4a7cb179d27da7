import { Database } from '../store/database.ts';
import { documentClient } from '../store/document-client.ts';
import { environment } from './on-runtime.ts';

/** What the environment of a deployed function names. */
export const lambdaDatabase = () => new Database(documentClient(), environment('TABLE_NAME'));

export const lambdaTimeZone = () => process.env.SERVICE_TIME_ZONE ?? 'UTC';

export const lambdaCountry = () => process.env.SERVICE_COUNTRY ?? '';
