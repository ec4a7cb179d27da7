import { Database } from '../store/database.ts';
import { documentClient } from '../store/document-client.ts';
import { neededSetting } from './environment.ts';

/** What the environment of a deployed function names. */
export const lambdaDatabase = () => new Database(documentClient(), neededSetting('TABLE_NAME'));
