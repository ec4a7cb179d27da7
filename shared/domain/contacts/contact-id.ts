/** The id contains that of the data source, so it never means a contact of another one. */
export const contactId = (dataSourceId: string, seq: number) => `${dataSourceId}-${seq.toString(36)}`;

/** Sequence numbers have at most nine decimal digits, the width of their sort key. */
const maxSeq = 999_999_999;
const seqPattern = /^(?:0|[1-9a-z][0-9a-z]{0,5})$/;

/** The sequence number inside the id; `undefined` when no contact of the data source can have this id. */
export const parseContactId = (dataSourceId: string, id: string): number | undefined => {
  const prefix = `${dataSourceId}-`;
  const digits = id.slice(prefix.length);
  if (!id.startsWith(prefix) || !seqPattern.test(digits)) return undefined;
  const seq = Number.parseInt(digits, 36);
  return seq <= maxSeq ? seq : undefined;
};
