/**
 * For each condition of a write, what shows that it is needed. `test/faults/overtaken.test.ts` finds the conditions by
 * itself, and says which line is missing here.
 */

/** `slow < fast`: without the condition, `slow` does harm when `fast` overtakes it just before that write. */
export const pairs: Record<string, string> = {
  'Put TASK#*#0 0 if attribute_not_exists(pk)': 'lease < lease',
  'Put TASK#*#0 0 if v = :version': 'lease < recall of one',
  'Update DS#*#C#0 0 if attribute_exists(pk)': 'extend < delete a contact in a call',
  'Update CALLED#0 0-0-0 if attribute_not_exists(names) OR size(names) < :limit OR contains(names, :name)':
    'lease < lease of another task',
  'Update DS#*#C#0 0 if call#* = :until': 'release < delete a contact in a call',
  'Put DS#*#P#0 P if attribute_not_exists(pk)': 'add a contact < add a contact',
  'Put TASK#* META if version = :version': 'recall of one < recall of one',
  'Put DS#*#B#0 0 if v = :version': 'add a contact < change a number',
  'Put DS#* DIR#0 if v = :version': 'batch add < add a contact',
  'Update DS#*#C#0 0 if (v = :version)': 'change a number < change a number',
  'Put DS#* RECEIVED#* if attribute_not_exists(pk)': 'import an upload < import an upload',
  'Update DS#*#I COUNT if attribute_not_exists(count)': 'batch add < batch add',
  'Put NAME#dataSource#* N if attribute_not_exists(pk)': 'rename a data source < rename another data source',
  'Put DS#* META if version = :version': 'rename the data source < delete a data source',
  'Delete DS#* META if (version = :version)': 'delete a data source < rename the data source',
  'Delete DS#* META if (attribute_not_exists(uses))': 'delete a data source < exclude by a task',
  'Update ROLL#dataSource COUNT if attribute_not_exists(removed)':
    'delete a data source < delete another data source',
  'Update ROLL#dataSource COUNT if count = :number': 'add a data source < add another data source',
  'Update ROLL#task COUNT if count = :number': 'add another task < add a task',
  'Update DS#* META if attribute_exists(pk)': 'add another task < delete a data source',
  'Delete TASK#* META if (version = :version)': 'delete a task < change a task',
  'Update ROLL#task COUNT if attribute_not_exists(removed)': 'delete another task < delete a task',
  'Put NAME#task#* N if attribute_not_exists(pk)': 'add a task < change a task',
  'UPDATE SET "fields" = ? SET "updated" = ? SET "importId" = ? SET "v" = ? WHERE "pk" = ? AND "sk" = ? AND "v" = ?':
    'batch add < change a field',
  'Put WEBHOOK#COUNT COUNT if v = :version': 'add a webhook < add a webhook',
  'Put WEBHOOK * if version = :version': 'describe the webhook < switch the webhook off',
  'Put WEBHOOK#TURN * if v = :version': 'deliver to the webhook < delete the webhook',
};

/** The test that fails when the condition is dropped in every write (`WITHOUT_CONDITION` of the engines). */
export const tests: Record<string, string> = {
  'Update AGENDA#calls#* * if v = :version': 'test/shared/store/dialing/deferred-contacts.test.ts',
  'Update TASK#* CNT#0 if attribute_not_exists(isClosed)': 'test/shared/store/dialing/closing.test.ts',
  'Update TASK#* CNT#0 if attribute_not_exists(isSplit)': 'test/shared/store/dialing/busy-tasks.test.ts',
  'Update TASK#* CNT#0 if attribute_not_exists(recallNumber) OR recallNumber < :number':
    'test/shared/store/dialing/recall.test.ts',
  'Update TASK#*#PACE TAKEN if total <= :most': 'test/shared/store/dialing/overtaken.test.ts',
  'Update PACE TAKEN if total <= :most': 'test/shared/store/dialing/overtaken.test.ts',
  'ConditionCheck DS#* DIR#0 if attribute_exists(pk)':
    'test/shared/store/removals/data-source-deletion.test.ts',
  'Delete DS#* DIR#0 if next = :next': 'test/shared/store/removals/data-source-deletion.test.ts',
  'ConditionCheck DS#* DIR#0 if attribute_not_exists(pk)':
    'test/shared/store/removals/data-source-deletion.test.ts',
  'Update DS#* RECEIVED#* if (status IN (:isWAITING, :isRUNNING))':
    'test/functions/contact/import-cancel.test.ts',
  'Update DS#* RECEIVED#* if (attribute_not_exists(runUntil) OR runUntil <= :heldNow OR runner = :holder)':
    'test/functions/contact/import-cancel.test.ts',
  'Update DS#* RECEIVED#* if (attribute_not_exists(abandoned))':
    'test/functions/contact/import-cancel.test.ts',
  'Update DS#* RECEIVED#* if (cut.isStepwise = :true OR NOT options.onDuplicate = :update OR (attribute_not_exists(reservation) AND attribute_not_exists(placed)))':
    'test/functions/contact/import-cancel.test.ts',
  'Update DS#* RECEIVED#* if ((attribute_not_exists(reservation)) AND (attribute_not_exists(placed)))':
    'test/shared/store/imports/import-holds.test.ts',
  'Update DS#* RECEIVED#* if ((attribute_not_exists(reservation)) AND (attribute_not_exists(abandoned)))':
    'test/shared/store/imports/import-holds.test.ts',
  'Update DS#* RECEIVED#* if (status IN (:isRUNNING))': 'test/shared/store/imports/import-holds.test.ts',
  'Update DS#* RECEIVED#* if (status IN (:isWAITING, :isRUNNING, :isFAILED))':
    'test/shared/store/imports/import-holds.test.ts',
  'Update DS#* RECEIVED#* if (runner = :holder)': 'test/shared/store/imports/import-holds.test.ts',
  'Update DS#*#C#0 0 if (attribute_not_exists(leases))': 'test/shared/store/contacts/former-numbers.test.ts',
  'Delete DS#*#C#0 0 if (leases = :leases)': 'test/shared/store/contacts/former-numbers.test.ts',
  'Put TASK#* DIAL if v = :version': 'test/shared/store/dialing/dialing-interleavings.test.ts',
  'Put TASK#* DIAL if attribute_not_exists(pk)': 'test/shared/store/dialing/dialing-interleavings.test.ts',
  'Update TASK#*#PACE TAKEN if since = :since': 'test/shared/store/pace/pace-limit.test.ts',
  'Update TASK#*#PACE TAKEN if attribute_exists(*)': 'test/shared/store/pace/pace-limit.test.ts',
  'Update PACE TAKEN if attribute_exists(*)': 'test/shared/store/pace/pace-limit.test.ts',
  'Update DS#*#C#0 0 if v = :version': 'test/shared/store/contacts/fields-at-once.test.ts',
  'Update DS#* FIELDS if attribute_not_exists(names) OR size(names) <= :room':
    'test/shared/store/contacts/fields-at-once.test.ts',
  'Update DS#*#I COUNT if count = :number': 'test/shared/store/imports/import-holds.test.ts',
  'Update TASK#*#0 0 if v = :version': 'test/shared/store/dialing/dialing-races.test.ts',
  'Delete TASK#*#INTAKE 0#0 if attribute_exists(pk)':
    'test/shared/store/dialing/dialing-interleavings.test.ts',
  'Put AGENDA#callbacks#* * if attribute_not_exists(pk)': 'test/shared/store/agenda/agenda.test.ts',
  'Update AGENDA#callbacks#* * if v = :version': 'test/shared/store/agenda/agenda.test.ts',
  'Update AGENDA#deferred * if v = :version': 'test/shared/store/agenda/agenda.test.ts',
  'Put AGENDA#erasure * if attribute_not_exists(pk)': 'test/shared/store/agenda/agenda.test.ts',
};

/** Conditions that can be dropped without a failure, and why. */
export const unproven: Record<string, string> = {
  'Update PACE TAKEN if since = :since': 'the limit of the service changes with a deployment only',
  'Delete DS#*#P#0 P if seq = :seq':
    'the version of the contact in the same transaction catches every writer that moves the number',
  'Delete DS#*#C#0 0 if (v = :version)':
    'the versions of block and directory in the same transaction catch every writer that matters to a deletion',
  'Update CALLED#0 0-0-0 if contains(names, :name)':
    'a call that is not counted any more changes nothing when it is taken off again',
  'Delete TASK#* META if (attribute_not_exists(uses))': 'nothing names a task',
  'Put AGENDA#delivery#* * if attribute_not_exists(pk)':
    'the repeat of a request finds the delivery that it asked for: without the condition its next attempt would come sooner',
};
