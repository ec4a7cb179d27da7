/**
 * What operators see: how tasks do and why they call or do not, their contacts by standing, calls one by one, the check before
 * a task starts, and files of all this.
 *
 * - An overview is made from what other rooms keep: counters, lines, intakes and the times at which dialers asked. Its
 *   cost grows with the calls in progress and not with the list. `rules/task-overview.ts` says which reason is shown.
 * - The pre-flight compares packed phone numbers: those of the list with those of its exclusion lists and of other tasks. Above
 *   100,000 contacts it estimates how many the filter selects.
 * - An export writes a file to the bucket, batch by batch, and answers the file. It is refused before that, where it can be foreseen
 *   that the file is too large to be answered.
 *
 * Reads may lag by a moment, at half the price. The room writes one item only: how many contacts a pre-flight found to match the
 * filter of a task. If a process dies, nothing is left but the file of an export, which expires after a day.
 */

export { CallReader } from './call-reader.ts';
export { CallExporter } from './exports/call-exporter.ts';
export { ContactExporter } from './exports/contact-exporter.ts';
export { exportPrefix } from './exports/export-file.ts';
export { PreflightReader } from './preflight/preflight-reader.ts';
export { TaskCounts } from './task-counts.ts';
export { TaskInsight } from './task-insight.ts';
