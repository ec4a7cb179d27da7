import { invalid } from '../../domain/errors.ts';
import { nearRuns } from '../table/index.ts';

const seqPattern = /^\d{1,9}$/;

const notGiven = () => invalid('pageToken', 'is not the token of a page of this list', 'UNKNOWN');

/** A token says with what its page ends: a sequence number, or a part of the list and a sort key in it. */
export const seqOf = (token: string | undefined): number => {
  if (token === undefined) return 0;
  if (!seqPattern.test(token)) throw notGiven();
  return Number(token);
};
export const tokenOf = (part: string, sort: string) => Buffer.from(`${part} ${sort}`).toString('base64url');
export const pageStartOf = (token: string | undefined): { part?: string; after?: string } => {
  if (token === undefined || token === '0') return {};
  const [part, after, ...rest] = Buffer.from(token, 'base64url').toString().split(' ');
  if (part === undefined || !/^[\d#]+$/.test(after ?? '') || rest.length > 0) throw notGiven();
  return { part, after: after! };
};

/** The share of a page's read budget that is left for contacts far from each other. */
const loneShare = 0.7;

/** How many of the first sequence numbers one page may show. A contact with few neighbours costs a read unit. */
export const affordable = (seqs: readonly number[], pageSize: number): number => {
  const most = Math.ceil(loneShare * pageSize);
  let shown = Math.min(seqs.length, pageSize);
  while (shown > most && loneAmong(seqs.slice(0, shown)) > most) shown--;
  return shown;
};

/** Fewer than `neighbours` contacts whose sequence numbers are at most `nearby` apart are read one by one. */
const [nearby, neighbours] = [8, 4];

const loneAmong = (seqs: readonly number[]): number =>
  nearRuns(
    [...seqs].sort((a, b) => a - b),
    nearby,
  )
    .filter(({ length }) => length < neighbours)
    .flat().length;
