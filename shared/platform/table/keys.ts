/**
 * Every key of the table, in one place. Numbers inside keys are zero-padded because DynamoDB sorts
 * strings; the widths allow 10^9 contacts a data source and 10^9 tasks.
 */
export type Key = { pk: string; sk: string };
export type Item = Record<string, unknown> & Key;

/** Slots of one phone block; an import reserves whole blocks. */
export const blockSize = 128;
/** Blocks of one directory page. With a byte each, a page stays below 1 KB: one write unit. */
export const blocksPerPage = 800;
/** Sequence numbers of one directory page. */
export const seqsPerPage = blockSize * blocksPerPage;
/** Contacts under one partition key: about 300 KB at the usual 300 bytes a contact. */
export const contactsPerChunk = 1024;

const padded = (value: number, width: number) => String(value).padStart(width, '0');
export const seqKey = (seq: number) => padded(seq, 9);
/** Epoch milliseconds; 13 digits last until the year 2286. */
export const timeKey = (instant: number) => padded(instant, 13);

/** Epoch seconds; 10 digits last until the year 2286. */
export const secondKey = (instant: number) => padded(Math.floor(instant / 1000), 10);
/** A result writes two units to its part. With four parts a task may end 2,000 calls a second. */
export const callParts = 4;
/** The ends of the partition keys of calls. No other partition key ends like this. */
export const callPartEnds = Array.from({ length: callParts }, (_, part) => `#CALLS#${part}`);
export const isCallKey = (pk: string) => callPartEnds.some((end) => pk.endsWith(end));
/** Keys of freed channels where many calls end. A result writes one unit to one of them. */
export const freedParts = 4;
/** Keys of the parts of a task's counters. A result writes two units to one of them. */
export const counterGroups = 4;

export const blockOf = (seq: number) => Math.floor(seq / blockSize);
export const slotOf = (seq: number) => seq % blockSize;
export const pageOf = (block: number) => Math.floor(block / blocksPerPage);
export const chunkOf = (seq: number) => Math.floor(seq / contactsPerChunk);

export type Kind = 'task' | 'dataSource';

export const keys = {
  /** The number of the format that the table's data is in, or how far a restore has come. */
  format: { pk: 'FORMAT', sk: 'FORMAT' } as Key,

  /** Exists while a task or data source has the name. */
  name: (kind: Kind, name: string): Key => ({ pk: `NAME#${kind}#${name}`, sk: 'N' }),

  /** Work that is due: the entries of a kind, or of a group of the kind. */
  agendaEntry: (kind: string, group: string | undefined, id: string): Key => ({
    pk: group === undefined ? `AGENDA#${kind}` : `AGENDA#${kind}#${group}`,
    sk: id,
  }),

  /** An item that leaves this partition is an erasure that has ended. */
  erasures: 'AGENDA#erasure',

  /** Partitions of numbered lists: a header of each task, data source or import, from 0 on. */
  list: (kind: Kind) => `ROLL#${kind}`,
  importList: (id: string) => `DS#${id}#I`,
  header: (list: string, number: number): Key => ({ pk: list, sk: padded(number, 9) }),
  /** The next free number, and the numbers of removed headers. Sorts after all headers. */
  listCount: (list: string): Key => ({ pk: list, sk: 'COUNT' }),

  dataSource: (id: string): Key => ({ pk: `DS#${id}`, sk: 'META' }),
  /** The custom field names in use: the columns of an export. */
  fieldNames: (id: string): Key => ({ pk: `DS#${id}`, sk: 'FIELDS' }),
  directoryPage: (id: string, page: number): Key => ({ pk: `DS#${id}`, sk: `DIR#${padded(page, 5)}` }),
  directoryPrefix: 'DIR#',
  /** How often contacts were changed. Sorts among the items that are read together. */
  edits: (id: string): Key => ({ pk: `DS#${id}`, sk: 'EDITS' }),
  /**
   * What remains of a deleted data source, for the CLOSED tasks that called it. Sorts among the
   * items that are read together.
   */
  goneDataSource: (id: string): Key => ({ pk: `DS#${id}`, sk: 'GONE' }),
  /** Sorts after the items that are read together: directory, field names, and the record. */
  import: (id: string, importId: string): Key => ({ pk: `DS#${id}`, sk: `RECEIVED#${importId}` }),
  /** The sequence numbers that an unfinished import has reserved. */
  openRange: (id: string, firstSeq: number): Key => ({ pk: `DS#${id}`, sk: `OPEN#${seqKey(firstSeq)}` }),
  openRangePrefix: 'OPEN#',
  /** Imports of all data sources that have FAILED, by the time of their end; expire. */
  failedImports: 'IMPORTS#FAILED',
  failedImport: (time: number, importId: string): Key => ({
    pk: keys.failedImports,
    sk: `${timeKey(time)}#${importId}`,
  }),
  /** The phone numbers that a run of an import's rows may have claimed. Expires. */
  importPlan: (id: string, importId: string, firstSeq: number): Key => ({
    pk: `DS#${id}#PLAN#${importId}`,
    sk: seqKey(firstSeq),
  }),
  block: (id: string, block: number): Key => ({
    pk: `DS#${id}#B#${pageOf(block)}`,
    sk: padded(block, 8),
  }),
  blockPartition: (id: string, page: number) => `DS#${id}#B#${page}`,
  contact: (id: string, seq: number): Key => ({ pk: `DS#${id}#C#${chunkOf(seq)}`, sk: seqKey(seq) }),
  contactPartition: (id: string, chunk: number) => `DS#${id}#C#${chunk}`,
  /** Contacts that wait to be added to a data source together, in the order of their requests. */
  waitingContacts: (id: string) => `DS#${id}#ADDS`,
  waitingContact: (id: string, time: number, mark: string): Key => ({
    pk: keys.waitingContacts(id),
    sk: `${timeKey(time)}#${mark}`,
  }),
  /** Numbers that wait to be added to a data source together. */
  waitingNumbers: (id: string): Key => ({ pk: `DS#${id}#WAITING`, sk: 'WAITING' }),
  /** Exists while a contact of the data source has the number. */
  phone: (id: string, phoneNumber: string): Key => ({ pk: `DS#${id}#P#${phoneNumber}`, sk: 'P' }),

  /** A request with an Idempotency-Key: its stored answer, and the records of its effects. */
  storedAnswer: (id: string): Key => ({ pk: `ONCE#${id}`, sk: 'ANSWER' }),
  effect: (id: string, name: string): Key => ({ pk: `ONCE#${id}`, sk: `EFFECT#${name}` }),

  task: (id: string): Key => ({ pk: `TASK#${id}`, sk: 'META' }),
  taskCounter: (id: string, shard: number): Key => ({ pk: `TASK#${id}`, sk: `CNT#${padded(shard, 2)}` }),
  taskCounterPrefix: 'CNT#',
  /** The parts of counters that were split, because many results came at once. */
  counterGroup: (id: string, group: number) => `TASK#${id}#CNT#${group}`,
  counterPart: (id: string, shard: number, part: number): Key => ({
    pk: keys.counterGroup(id, shard % counterGroups),
    sk: `${keys.taskCounter(id, shard).sk}#${padded(part, 2)}`,
  }),
  /** What was done to a task, numbered without gaps. Sorts after the items read together. */
  historyEntry: (id: string, number: number): Key => ({
    pk: `TASK#${id}`,
    sk: `${keys.historyPrefix}${padded(number, 9)}`,
  }),
  historyPrefix: 'PAST#',
  /**
   * The last calls of a task that pauses itself when too many fail. Sorts after the items that are
   * read together.
   */
  recentCalls: (id: string): Key => ({ pk: `TASK#${id}`, sk: 'RECENT' }),
  taskContact: (id: string, seq: number): Key => ({ pk: `TASK#${id}#${chunkOf(seq)}`, sk: seqKey(seq) }),
  taskContactPartition: (id: string, chunk: number) => `TASK#${id}#${chunk}`,
  /**
   * The calls of a task that have ended, in parts, so that a busy task writes to several keys.
   * Within a part they are ordered by the second in which they ended.
   */
  callPart: (id: string, part: number) => `TASK#${id}${callPartEnds[part]}`,
  call: (id: string, seq: number, endTime: number, nonce: string): Key => ({
    pk: keys.callPart(id, seq % callParts),
    sk: `${secondKey(endTime)}#${seqKey(seq)}#${nonce}`,
  }),
  /** The names of `data` in the calls of a task. Sorts after the items that are read together. */
  dataNames: (id: string): Key => ({ pk: `TASK#${id}`, sk: 'NAMES' }),
  /** A contact that was called under this number, and was deleted or has another number now. */
  formerNumbers: (phoneNumber: string) => `NUMBER#${phoneNumber}`,
  formerNumber: (phoneNumber: string, dataSourceId: string, seq: number): Key => ({
    pk: keys.formerNumbers(phoneNumber),
    sk: `${dataSourceId}#${seqKey(seq)}`,
  }),
  /** How far dialing has come: the cursor, and the recalls of all failed contacts. */
  dialState: (id: string): Key => ({ pk: `TASK#${id}`, sk: 'DIAL' }),
  /** Contacts that the cursor has passed and that are in no line, by their next check. */
  intakes: (id: string) => `TASK#${id}#INTAKE`,
  intake: (id: string, checkTime: number, firstSeq: number): Key => ({
    pk: keys.intakes(id),
    sk: `${timeKey(checkTime)}#${seqKey(firstSeq)}`,
  }),
  /** Contacts that a recall took up ahead of the cursor, several in an item. */
  aheads: (id: string) => `TASK#${id}#AHEAD`,
  ahead: (id: string, firstSeq: number): Key => ({ pk: keys.aheads(id), sk: seqKey(firstSeq) }),
  /**
   * The calls to a phone number that may count for a limit, and how long it rests. Releases before
   * 0.6 had an item for each day.
   */
  calledNumber: (phoneNumber: string) => `CALLED#${phoneNumber}`,
  numberCalls: (phoneNumber: string): Key => ({ pk: keys.calledNumber(phoneNumber), sk: 'CALLS' }),
  /** Since when the calls to each number are counted, and the tasks that had called before. */
  counting: { pk: 'COUNTING', sk: 'COUNTING' } as Key,
  calledBefore: { pk: 'COUNTING', sk: 'BEFORE' } as Key,
  /** When a dialer last asked for calls of the task, or of any task. */
  asked: (id: string): Key => ({ pk: `TASK#${id}`, sk: 'ASKED' }),
  /**
   * How many contacts the last pre-flight found to match the task's filter. Sorts among the items
   * that are read together.
   */
  selectedCount: (id: string): Key => ({ pk: `TASK#${id}`, sk: 'COUNTED' }),
  /** When a request for calls of any task last looked at the task. */
  askedAmongOthers: (id: string): Key => ({ pk: `TASK#${id}`, sk: 'ASKED#ANY' }),
  askedForAny: { pk: 'ASKED', sk: 'ASKED' } as Key,
  /** The calls that count towards the limits of a task, or of the service. */
  taskPace: (id: string) => `TASK#${id}#PACE`,
  servicePace: 'PACE',
  /** Channels that were taken, and calls that began. Sorts after the channels that were freed. */
  taken: (pace: string): Key => ({ pk: pace, sk: 'TAKEN' }),
  /**
   * Channels of calls that have ended, by the period in which they would have been free by
   * themselves; expires.
   */
  freed: (pace: string, period: number, shard: number): Key => ({
    pk: pace,
    sk: `${keys.freedFrom(period)}#${shard}`,
  }),
  /** The same for a pace at which calls begin at a high rate, under several keys. */
  wideFreed: (pace: string, period: number, part: number): Key => ({
    pk: keys.wideFreedPart(pace, part),
    sk: keys.freedFrom(period),
  }),
  wideFreedPart: (pace: string, part: number) => `${pace}#FREED#${part}`,
  freedFrom: (period: number) => `FREED#${padded(period, 9)}`,
  /** Calls by outcome: of each minute of an hour, and of each quarter hour of a day of UTC. */
  timeline: (id: string) => `TASK#${id}#TIMELINE`,
  timelineHour: (id: string, hour: number): Key => ({ pk: keys.timeline(id), sk: `H#${timeKey(hour)}` }),
  timelineDay: (id: string, day: number): Key => ({
    pk: keys.timeline(id),
    sk: `${keys.timelineDays}${timeKey(day)}`,
  }),
  timelineDays: 'D#',
  /** A task that called on that day of UTC. */
  dayOfTask: (day: number, id: string): Key => ({ pk: `DAY#${timeKey(day)}`, sk: id }),
  /** Calls that Amazon Connect is making, and the claim of the run that starts more of them. */
  connectCalls: 'CONNECT',
  connectCall: (callId: string): Key => ({ pk: keys.connectCalls, sk: callId }),
  connectClaim: { pk: 'CONNECT#TURN', sk: 'TURN' } as Key,

  /** The list of events: numbered sheets, which name its pages. Sheets and pages expire. */
  eventSheets: 'EVENTS#SHEETS',
  eventSheet: (number: number): Key => ({ pk: keys.eventSheets, sk: timeKey(number) }),
  eventPage: (name: string): Key => ({ pk: `EVENTS#PAGE#${name}`, sk: 'PAGE' }),
  /** The number before the first sheet. */
  eventStart: { pk: 'EVENTS#START', sk: 'START' } as Key,
  /** The numbered pages that release 0.5 listed. */
  earlierEvents: 'EVENTS',
  earlierEventPage: (number: number): Key => ({ pk: keys.earlierEvents, sk: timeKey(number) }),

  /** Webhooks, how many there are, and how far the deliveries to each have come. */
  webhooks: 'WEBHOOK',
  webhook: (id: string): Key => ({ pk: keys.webhooks, sk: id }),
  webhookCount: { pk: 'WEBHOOK#COUNT', sk: 'COUNT' } as Key,
  deliveryProgresses: 'WEBHOOK#TURN',
  deliveryProgress: (id: string): Key => ({ pk: keys.deliveryProgresses, sk: id }),
  /** The last attempts to deliver to a webhook, in a ring; expire. */
  deliveryRows: (id: string) => `WEBHOOK#${id}`,
  deliveryRow: (id: string, slot: number): Key => ({ pk: keys.deliveryRows(id), sk: padded(slot, 4) }),

  /**
   * Partitions of the index. Contacts in line are listed at a priority, or at 0 for an agreed
   * callback, by due time. Contacts whose last outcome is failed or no answer (by the number of
   * recalls before), and those that were reached or are blocked, are listed by the time of their
   * last call. Entries of the agenda are listed by kind and level or webhook, by due time.
   */
  line: (id: string, priority: number) => `TASK#${id}#DUE#${priority}`,
  failed: (id: string, recallNumber: number) => `TASK#${id}#FAILED#${recallNumber}`,
  unanswered: (id: string, recallNumber: number) => `TASK#${id}#UNANSWERED#${recallNumber}`,
  reached: (id: string) => `TASK#${id}#REACHED`,
  blocked: (id: string) => `TASK#${id}#BLOCKED`,
  dueLine: (kind: string, part?: number | string) =>
    part === undefined ? `DUE#${kind}` : `DUE#${kind}#${part}`,
  dueSort: (due: number, id: string) => `${timeKey(due)}#${id}`,
  indexSort: (instant: number, seq: number) => `${timeKey(instant)}#${seqKey(seq)}`,
};

/** Items that expire: their partition key and sort key, separated by a space. */
const expiring = [
  /^DS#[^#]+#(ADDS|PLAN#|WAITING )/,
  /^IMPORTS#FAILED /,
  /^ONCE#/,
  /^CALLED#/,
  /^(TASK#[^#]+#)?PACE[ #]/,
  /^TASK#[^#]+#TIMELINE H#/,
  /^EVENTS(#SHEETS|#PAGE#\S+)? /,
  /^WEBHOOK#[a-z0-9]/,
];

/** Whether a write that may create the item must set its time to live. */
export const mustExpire = ({ pk, sk }: Key): boolean =>
  expiring.some((pattern) => pattern.test(`${pk} ${sk}`));
