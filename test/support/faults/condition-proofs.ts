/**
 * For each condition of a write, what shows that it is needed. A test that makes a write with another condition fails, and
 * says which line is missing here.
 */

/** `slow < fast`: without the condition, `slow` does harm when `fast` overtakes it just before that write. */
export const pairs: Record<string, string> = {
  'Put TASK#*#0 0 if attribute_not_exists(pk)': 'lease < lease',
  'Put TASK#*#0 0 if v = :version': 'lease < recall of one',
  'Update DS#*#C#0 0 if attribute_exists(pk)': 'extend < delete a contact in a call',
  'Put CALLED#0 CALLS if attribute_not_exists(pk)': 'lease < lease of another task',
  'Update DS#*#C#0 0 if call#* = :until': 'release < delete a contact in a call',
  'Put DS#*#P#0 P if attribute_not_exists(pk)': 'change to a new number < add a contact',
  'Put TASK#* META if version = :version': 'recall of one < recall of one',
  'Put DS#*#B#0 0 if v = :version': 'add a contact < change a number',
  'Put DS#* DIR#0 if v = :version': 'batch add < add a contact',
  'Update DS#*#C#0 0 if v = :version': 'change a number < change a number',
  'Put DS#* RECEIVED#* if attribute_not_exists(pk)': 'import an upload < import an upload',
  'Update DS#*#I COUNT if attribute_not_exists(count)': 'batch add < batch add',
  'Put NAME#dataSource#* N if attribute_not_exists(pk)': 'rename a data source < rename another data source',
  'Put DS#* META if version = :version': 'rename the data source < delete a data source',
  'Delete DS#* META if version = :version': 'delete a data source < rename the data source',
  'Delete DS#* META if attribute_not_exists(uses)': 'delete a data source < exclude by a task',
  'Update ROLL#dataSource COUNT if attribute_not_exists(removed)':
    'delete a data source < delete another data source',
  'Update ROLL#dataSource COUNT if count = :number': 'add a data source < add another data source',
  'Update ROLL#task COUNT if count = :number': 'add another task < add a task',
  'Update DS#* META if attribute_exists(pk)': 'add another task < delete a data source',
  'Delete TASK#* META if version = :version': 'delete a task < change a task',
  'Update ROLL#task COUNT if attribute_not_exists(removed)': 'delete another task < delete a task',
  'Put NAME#task#* N if attribute_not_exists(pk)': 'add a task < change a task',
  'UPDATE SET "fields" = ? SET "updated" = ? SET "importId" = ? SET "v" = ? WHERE "pk" = ? AND "sk" = ? AND "v" = ?':
    'batch add < change a field',
  'Put WEBHOOK#COUNT COUNT if v = :version': 'add a webhook < add a webhook',
  'Put WEBHOOK * if version = :version': 'describe the webhook < switch the webhook off',
  'Put WEBHOOK#TURN * if v = :claimOwner': 'deliver to the webhook < delete the webhook',
};

/** Tests, each with conditions without which it fails. */
export const tests: Record<string, readonly string[]> = {
  'test/functions/contact/import-cancel.test.ts': [
    'Update DS#* RECEIVED#* if attribute_not_exists(runUntil) OR runUntil <= :claimNow OR runner = :claimOwner',
    'Update DS#* RECEIVED#* if attribute_not_exists(abandoned)',
    'Update DS#* RECEIVED#* if (cut.isStepwise = :true OR NOT options.onDuplicate = :update OR (attribute_not_exists(reservation) AND attribute_not_exists(placed)))',
    'Update DS#* RECEIVED#* if status IN (:isWAITING, :isRUNNING)',
  ],
  'test/shared/connect/connect-adapter.test.ts': [
    'Put CONNECT#TURN TURN if attribute_not_exists(until) OR until <= :claimNow OR runner = :claimOwner',
    'Put CONNECT * if attribute_exists(pk)',
  ],
  'test/shared/platform/agenda/agenda.test.ts': [
    'Delete AGENDA#* if v = :version',
    'Update AGENDA#* if v = :version',
    'Put AGENDA#* if attribute_not_exists(pk)',
  ],
  'test/shared/calls/annotated-and-erased.test.ts': ['Put TASK#*#CALLS#* if v = :version'],
  'test/shared/calls/many-calls.test.ts': [
    'Update TASK#* NAMES if size(names) = :known',
    'Update TASK#* NAMES if attribute_not_exists(names)',
  ],
  'test/shared/contacts/fields-at-once.test.ts': [
    'Update DS#* FIELDS if attribute_not_exists(names) OR size(names) <= :room',
  ],
  'test/shared/contacts/former-numbers.test.ts': [
    'Update DS#*#C#0 0 if attribute_not_exists(leases)',
    'Delete DS#*#C#0 0 if leases = :leases',
    'Delete DS#*#C#0 0 if attribute_not_exists(leases)',
  ],
  'test/shared/contacts/overtaken.test.ts': ['Update DS#* DIR#0 if v = :version'],
  'test/shared/contacts/waiting-contacts.test.ts': [
    'Update DS#*#ADDS 0#0 if attribute_exists(pk)',
    'Delete DS#*#ADDS 0#0 if attribute_not_exists(seq)',
  ],
  'test/shared/dialing/brake.test.ts': ['Put TASK#* RECENT if v = :version'],
  'test/shared/dialing/busy-tasks.test.ts': [
    'Update TASK#* CNT#0 if attribute_not_exists(isSplit)',
    'Put TASK#*#CNT#0 CNT#0#0 if * = :count',
    'Put TASK#*#CNT#0 CNT#0#0 if attribute_not_exists(failed)',
    'Put TASK#*#CNT#0 CNT#0#0 if attribute_not_exists(noAnswer)',
    'Put TASK#*#CNT#0 CNT#0#0 if attribute_not_exists(ok)',
    'Update TASK#* CNT#0 if attribute_not_exists(at) OR at <= :at',
    'Update TASK#*#CNT#0 CNT#0#0 if attribute_not_exists(isClosed)',
    'Update TASK#*#INTAKE 0#0 if handed < :size',
    'Update TASK#* CNT#0 if attribute_not_exists(isClosed)',
  ],
  'test/shared/dialing/dialing-interleavings.test.ts': [
    'Put TASK#* DIAL if v = :version',
    'Put TASK#* DIAL if attribute_not_exists(pk)',
    'Delete TASK#*#INTAKE 0#0 if attribute_exists(pk)',
  ],
  'test/shared/dialing/dialing-races.test.ts': ['Update TASK#*#0 0 if v = :version'],
  'test/shared/dialing/overtaken.test.ts': [
    'Update TASK#*#PACE TAKEN if total <= :most',
    'Update PACE TAKEN if total <= :most',
    'ConditionCheck TASK#* DIAL if attribute_not_exists(filteredSince)',
    'ConditionCheck DS#* DIR#0 if attribute_not_exists(pk) OR next = :next',
    'Put PACE TAKEN if attribute_not_exists(since) OR since < :since',
  ],
  'test/shared/dialing/recall.test.ts': [
    'Update TASK#* CNT#0 if attribute_not_exists(recallNumber) OR recallNumber < :number',
    'Update TASK#* CNT#0 if attribute_not_exists(recallNumber)',
    'Update TASK#*#CNT#0 CNT#0#0 if attribute_not_exists(recallNumber)',
  ],
  'test/shared/events/event-list.test.ts': [
    'Put EVENTS#SHEETS 0 if attribute_not_exists(pk)',
    'Update EVENTS#SHEETS 0 if size(pages) < :full',
    'Update EVENTS#SHEETS 0 if NOT contains(pages, :first)',
    'Put EVENTS#START START if attribute_not_exists(pk)',
    'Put EVENTS#START START if v = :version',
  ],
  'test/shared/imports/import-holds.test.ts': [
    'Update DS#* RECEIVED#* if ((attribute_not_exists(reservation)) AND (attribute_not_exists(placed)))',
    'Update DS#* RECEIVED#* if status IN (:isRUNNING)',
    'Update DS#* RECEIVED#* if status IN (:isWAITING, :isRUNNING, :isFAILED)',
    'Update DS#* RECEIVED#* if runner = :claimOwner',
    'Update DS#*#I COUNT if count = :number',
    'Update DS#* RECEIVED#* if attribute_not_exists(reservation)',
  ],
  'test/shared/imports/import-rollback.test.ts': ['Delete DS#*#P#0 P if importId = :importId'],
  'test/shared/dialing/pace-limit.test.ts': [
    'Update TASK#*#PACE TAKEN if since = :since',
    'Update TASK#*#PACE TAKEN if attribute_exists(*)',
    'Update PACE TAKEN if attribute_exists(*)',
  ],
  'test/shared/app/removals/data-source-deletion.test.ts': [
    'ConditionCheck DS#* DIR#0 if attribute_exists(pk)',
    'Delete DS#* DIR#0 if next = :next',
    'ConditionCheck DS#* DIR#0 if attribute_not_exists(pk)',
  ],
  'test/shared/platform/requests/effects.test.ts': [
    'Put ONCE#* EFFECT if attribute_not_exists(pk) OR ttl < :seconds',
  ],
  'test/shared/platform/requests/stored-answers.test.ts': [
    'Put ONCE#* ANSWER if (attribute_not_exists(pk) OR ttl < :seconds) OR ((status = :inProgress) AND (attribute_not_exists(until) OR until <= :claimNow OR owner = :claimOwner))',
    'Delete ONCE#* ANSWER if owner = :claimOwner',
    'Delete ONCE#* ANSWER if status = :inProgress',
    'Put ONCE#* ANSWER if (attribute_not_exists(pk) OR ttl < :seconds) OR ((status = :inProgress) AND ((attribute_not_exists(until) OR until <= :claimNow OR owner = :claimOwner) OR (NOT begins_with(owner, :dead))))',
  ],
  'test/shared/dialing/number-calls.test.ts': ['Put CALLED#0 CALLS if v = :version'],
  'test/shared/platform/table/data-format.test.ts': [
    'Put FORMAT FORMAT if attribute_not_exists(pk)',
    'Update FORMAT FORMAT if format = :from',
  ],
  'test/shared/platform/table/claim.test.ts': [
    'Delete CLAIM#0 CLAIM if runner = :claimOwner',
    'Put CLAIM#0 CLAIM if (attribute_not_exists(until) OR until <= :claimNow OR runner = :claimOwner) OR (NOT begins_with(runner, :dead))',
    'Put CLAIM#0 CLAIM if (attribute_not_exists(until) OR until <= :claimNow OR runner = :claimOwner) OR (begins_with(runner, :dead))',
    'Put CLAIM#0 CLAIM if attribute_not_exists(until) OR until <= :claimNow OR runner = :claimOwner',
  ],
  'test/shared/calls/service-days.test.ts': ['Update TASK#* CNT#0 if * = :count'],
};

/** Conditions that the same line of code sets as a proven one: on an item in another state, or of another kind. */
export const alike: Record<string, string> = {
  'ConditionCheck TASK#* DIAL if filteredSince = :since':
    'ConditionCheck TASK#* DIAL if attribute_not_exists(filteredSince)',
  'Update DS#*#C#0 0 if leases = :leases': 'Update DS#*#C#0 0 if attribute_not_exists(leases)',
  'Update ROLL#dataSource COUNT if removed = :removed':
    'Update ROLL#dataSource COUNT if attribute_not_exists(removed)',
  'Update ROLL#task COUNT if removed = :removed': 'Update ROLL#task COUNT if attribute_not_exists(removed)',
  'Update ROLL#dataSource COUNT if attribute_not_exists(count)':
    'Update ROLL#dataSource COUNT if count = :number',
  'Update ROLL#task COUNT if attribute_not_exists(count)': 'Update ROLL#task COUNT if count = :number',
  'Update TASK#* CNT#0 if recallNumber = :number':
    'Update TASK#* CNT#0 if attribute_not_exists(recallNumber)',
  'Put DS#* DIR#0 if attribute_not_exists(pk)': 'Put DS#* DIR#0 if v = :version',
  'Put DS#*#B#0 0 if attribute_not_exists(pk)': 'Put DS#*#B#0 0 if v = :version',
  'Delete CONNECT#TURN TURN if runner = :claimOwner': 'Delete CLAIM#0 CLAIM if runner = :claimOwner',
  'Delete DS#* META if uses = :uses': 'Delete DS#* META if attribute_not_exists(uses)',
  'Delete TASK#* META if attribute_not_exists(uses)': 'Delete DS#* META if attribute_not_exists(uses)',
  'Update PACE TAKEN if since = :since': 'Update TASK#*#PACE TAKEN if since = :since',
  'Put TASK#*#PACE TAKEN if attribute_not_exists(since) OR since < :since':
    'Put PACE TAKEN if attribute_not_exists(since) OR since < :since',
  'Put TASK#* RECENT if attribute_not_exists(pk)': 'Put TASK#* RECENT if v = :version',
  'Update TASK#*#CNT#0 CNT#0#0 if attribute_not_exists(recallNumber) OR recallNumber < :number':
    'Update TASK#* CNT#0 if attribute_not_exists(recallNumber) OR recallNumber < :number',
  'Put WEBHOOK#COUNT COUNT if attribute_not_exists(pk)': 'Put WEBHOOK#COUNT COUNT if v = :version',
  'Update DS#* RECEIVED#* if ((attribute_not_exists(runUntil) OR runUntil <= :claimNow OR runner = :claimOwner) OR (begins_with(runner, :dead)))':
    'Update DS#* RECEIVED#* if attribute_not_exists(runUntil) OR runUntil <= :claimNow OR runner = :claimOwner',
  'Update TASK#*#CNT#0 CNT#0#0 if recallNumber = :number':
    'Update TASK#*#CNT#0 CNT#0#0 if attribute_not_exists(recallNumber)',
};
