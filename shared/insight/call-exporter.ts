import { type CallRange, type CallRecords, namesAtMost, readDataNames } from '../calls/call-records.ts';
import { type CallDetails, type CallRecord, callId, detailNames } from '../calls/rules/call.ts';
import type { TaskTimeline } from '../calls/timeline.ts';
import { contactId } from '../contacts/rules/contact.ts';
import type { Cell } from '../files/workbook.ts';
import type { ExportFile } from '../platform/http/file-endpoint.ts';
import type { Database } from '../platform/table/database.ts';
import type { Task } from '../tasks/rules/task.ts';
import {
  assertAnswerable,
  type ExportFormat,
  mapped,
  type RenderDependencies,
  renderFile,
  type Sheets,
  type Wording,
  type WordingOptions,
  wordingOf,
} from './export-file.ts';

type Dependencies = RenderDependencies & {
  database: Database;
  callRecords: CallRecords;
  timeline: TaskTimeline;
};
type CallExport = WordingOptions & CallRange & { format: ExportFormat };

/** Bytes of a row with a summary, a recording and two names of `data`, as measured. */
const callBytes = { csv: 335, excel: 124 } as const satisfies Record<ExportFormat, number>;
const instead = 'export a shorter time, with from and to';

/** In the order of the columns. The columns of `data` follow. */
const columnsOf = ({ durationTitles }: Wording) => [
  'callId',
  'taskId',
  'contactId',
  'dataSourceId',
  'phoneNumber',
  'callerNumber',
  'attempt',
  'startTime',
  'endTime',
  ...durationTitles('duration'),
  'outcome',
  'reason',
  'final',
  'callbackTime',
  'doNotCall',
  ...detailNames.filter((name) => name !== 'data'),
  'reportedBy',
  'updateTime',
];

/** Files of a task's calls, one row for each call. */
export class CallExporter {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * `calls_<taskId>_<timestamp>.<extension>`, the oldest call first.
   * @throws ServiceError invalid (the zone), tooLarge (before a call is read, if it can be
   *   foreseen)
   */
  async callsOf(
    task: Task,
    { format, from, to, ...options }: CallExport,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const { database, callRecords, timeline, formatTime, now } = this.#deps;
    const wording = wordingOf(options, formatTime);
    assertAnswerable(this.#deps, (await timeline.callsIn(task.id, from, to)) * callBytes[format], instead);
    const names = await readDataNames(database, task.id);
    const labels = new Map(
      (task.dispositions ?? []).map(({ code, label }) => [code, wording.isForPeople ? label : code]),
    );
    const cellsOf = (call: CallRecord): Cell[] => {
      const time = (instant: number | null) => wording.time(instant);
      const details: Omit<CallDetails, 'data'> = call;
      const { disposition } = details;
      return [
        callId(call),
        call.taskId,
        contactId(call.dataSourceId, call.seq),
        call.dataSourceId,
        call.phoneNumber ?? '',
        call.callerNumber ?? '',
        call.attempt,
        time(call.startTime),
        time(call.endTime),
        ...wording.durations(call.duration, call.outcome === 'success' ? call.duration : 0),
        wording.standing(call.outcome),
        wording.reason(call.reason),
        wording.yes(call.final),
        time(call.callbackTime),
        call.doNotCall === null ? '' : wording.yes(call.doNotCall),
        disposition === null ? '' : labels.get(disposition) || disposition,
        ...[details.summary, details.recordingUrl, details.transcriptUrl, details.providerCallId].map(
          (text) => text ?? '',
        ),
        call.reportedBy ?? '',
        time(call.updateTime),
        ...dataCells(call, names),
      ];
    };
    const titles = [
      ...wording.titles(columnsOf(wording)),
      ...names.map((name) => `data.${name}`),
      ...(names.length < namesAtMost ? [] : ['data']),
    ];
    const sheets: Sheets = [
      {
        name: wording.sheet('calls'),
        titles,
        batches: mapped(callRecords.scan(task.id, { from, to }, now()), (batch) => batch.map(cellsOf)),
      },
    ];
    const shown = wording.isForPeople
      ? { shown: { name: `${task.taskName}_${wording.sheet('calls')}`, time: wording.time } }
      : {};
    return renderFile(this.#deps, { name: `calls_${task.id}`, ...shown, format, sheets, instead }, signal);
  }
}

/** The values of the names that have a column of their own, and the others together as JSON. */
const dataCells = ({ data }: CallRecord, names: readonly string[]): Cell[] => {
  const known = new Set(names);
  const others = Object.entries(data ?? {}).filter(([name]) => !known.has(name));
  return [
    ...names.map((name) => (data !== null && Object.hasOwn(data, name) ? cellOf(data[name]!) : '')),
    ...(others.length === 0 ? [] : [JSON.stringify(Object.fromEntries(others))]),
  ];
};

const cellOf = (value: string | number | boolean): Cell =>
  typeof value === 'boolean' ? String(value) : value;
