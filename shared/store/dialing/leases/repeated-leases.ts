import type { LeasedCall } from '../../../domain/dialing/call.ts';
import type { Lease, LeasedContact } from '../../../domain/dialing/task-contact.ts';
import { status } from '../../../domain/tasks/task-states.ts';
import type { Instant } from '../../../domain/time.ts';
import { noteAhead, type RequestKey, readNotes } from '../../requests/index.ts';
import type { Database } from '../../table/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import type { TaskContacts } from '../records/task-contacts.ts';
import type { TaskCandidates } from './candidates.ts';
import type { Claims } from './claims.ts';

/** The contacts that a request was about to lease. */
type Intent = { taskId: string; nonce: string; seqs: number[] };

type Dependencies = { database: Database; tasks: Tasks; taskContacts: TaskContacts; claims: Claims };

const effect = 'lease';

/**
 * Lease requests that may be sent again. A request notes the contacts that it is about to lease. A repeat finds which of
 * them bear its lease.
 */
export class RepeatedLeases {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async note(
    requestKey: RequestKey | undefined,
    { task, candidates }: TaskCandidates,
    { nonce }: Lease,
  ): Promise<void> {
    if (candidates.length === 0) return;
    const seqs = candidates.map(({ seq }) => seq);
    const intent: Intent = { taskId: task.id, nonce, seqs };
    await noteAhead(this.#deps.database, requestKey, effect, intent);
  }

  /**
   * The calls that earlier runs of the same request have leased and that may still be made, the most urgent first: their
   * lease is live, they were not reported, their task is RUNNING, and its rules still allow them.
   */
  async calls(requestKey: RequestKey | undefined, now: Instant): Promise<LeasedCall[]> {
    const notes = await readNotes<Intent>(this.#deps.database, requestKey, effect);
    // A note whose answer got lost was written twice.
    const intents = new Map(notes.map((intent) => [intent.nonce, intent]));
    const calls = await Promise.all([...intents.values()].map((intent) => this.#callsOf(intent, now)));
    return calls.flat().sort((a, b) => a.priority - b.priority);
  }

  async #callsOf({ taskId, nonce, seqs }: Intent, now: Instant): Promise<LeasedCall[]> {
    const { tasks, taskContacts, claims } = this.#deps;
    const found = await taskContacts.read(taskId, seqs);
    const taken = found.filter(
      (contact): contact is LeasedContact =>
        contact?.state === 'leased' && contact.lease.nonce === nonce && contact.lease.until > now,
    );
    if (taken.length === 0) return [];
    const task = await tasks.find(taskId);
    return task.status === status.running ? claims.resume(task, taken, now) : [];
  }
}
