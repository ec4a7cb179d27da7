export { callbacksAtMost, type NextCall, openingFor } from './rules/call-decisions.ts';
export {
  type Counters,
  callbackLevel,
  type DialState,
  linesOf,
  lookedSoFar,
  recallsPending,
} from './rules/dial-state.ts';
export { callRefs, forgetCalls, isFailed, isForgotten, type TaskContact } from './rules/task-contact.ts';
export {
  type ContactStanding,
  type ContactSummary,
  callRow,
  contactStanding,
  type ListedCall,
  nextCallColumns,
  noCall,
  notSelected,
  type StandingName,
  standingNames,
  taskContactRow,
  untouched,
} from './rules/task-contact-views.ts';
