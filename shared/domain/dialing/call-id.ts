import { isId } from '../ids.ts';

/** One call handed to a dialer: the task, the contact's sequence number and the lease it came with. */
export type Call = { taskId: string; seq: number; nonce: string };

const seqForm = /^(?:0|[1-9a-z][0-9a-z]{0,5})$/;
const nonceForm = /^[0-9a-z]{1,16}$/;
const maxSeq = 999_999_999;

export const callId = ({ taskId, seq, nonce }: Call): string => `${taskId}-${seq.toString(36)}-${nonce}`;

/** `undefined` when no call can bear the id. */
export const parseCallId = (id: string): Call | undefined => {
  const [taskId = '', digits = '', nonce = '', ...rest] = id.split('-');
  if (rest.length > 0 || !isId(taskId) || !seqForm.test(digits) || !nonceForm.test(nonce)) return undefined;
  const seq = Number.parseInt(digits, 36);
  return seq <= maxSeq ? { taskId, seq, nonce } : undefined;
};
