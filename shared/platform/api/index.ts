export { accessOf, checkFormat, type Grant, grant, objectGrant, renderExport, setUpTable } from './access.ts';
export {
  errorCodeHeader,
  exposedHeaders,
  importIdHeader,
  retryAfterHeader,
  retryAfterSeconds,
  taskCountHeader,
  taskIdsHeader,
  transportHeader,
  transportSecurity,
} from './answer-headers.ts';
export type { Answer, Unknown } from './answers.ts';
export { checkedBody, closed, shownBody } from './body-names.ts';
export { exampleOf, like } from './examples.ts';
export { scopesOfGroups } from './people.ts';
export {
  type Access,
  type BucketAccess,
  dialing,
  errorsOf,
  type Resources,
  type Route,
  reading,
  type Scope,
  scopes,
  type TableAccess,
  type TableAction,
  tags,
  type Using,
  usualBodyLimit,
  usualResources,
  writing,
} from './route.ts';
export {
  callId,
  contactId,
  contactStatus,
  count,
  createTime,
  customFields,
  dataSourceId,
  dataSourceName,
  described,
  exactly,
  exporting,
  fileFormat,
  id,
  idParams,
  name,
  nothing,
  optionalStatus,
  optionalTimestamp,
  pageOf,
  paging,
  phone,
  rate,
  seconds,
  status,
  taskReference,
  timestamp,
  titled,
  withoutDefaults,
} from './schemas.ts';
export { statusOf, statusOfWord, wordOfStatus } from './status.ts';
export type { Validator, Validators, Violation } from './validators.ts';
