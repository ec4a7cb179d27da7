import { createHash } from 'node:crypto';
import { invalid } from '../rules/index.ts';

/** The list that a page belongs to: its task and its filter. */
type List = readonly string[];

const markLength = 6;
const markOf = (list: List) =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, markLength);

/** The token of the first page of any list. */
const firstPage = '0';

/** A page token: where the next page begins, with a mark of its list. */
export const pageToken = (list: List, start: string | null): string | null =>
  start === null ? null : `${markOf(list)}${start}`;

/** Where the page of a token begins; nothing for the first page. @throws ServiceError invalid for the token of another list */
export const pageStart = (list: List, token: string | undefined): string | undefined => {
  if (token === undefined || token === firstPage) return undefined;
  if (!token.startsWith(markOf(list))) {
    throw invalid('pageToken', 'is not the token of a page of this list', 'UNKNOWN');
  }
  return token.slice(markLength);
};

/** The number of rows before a page. */
export const offsetOf = ({ pageNum, pageSize }: { pageNum: number; pageSize: number }): number =>
  (pageNum - 1) * pageSize;
