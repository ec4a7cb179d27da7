import { status as statuses } from '../../shared/tasks/rules/task-states.ts';
import type { ServiceClient, Statistics } from './service-client.ts';
import type { Simulator, TaskProgress } from './simulator.ts';

export type Screen = { isTTY?: boolean; columns?: number; write: (text: string) => unknown };

const barWidth = 20;
const nameWidth = 24;
const minNameWidth = 8;
const usualColumns = 79;
const liveMs = 250;
/** A file or a pipe gets new lines each time, so they are written less often. */
const plainMs = 2000;

const stateName = (code: number) =>
  (Object.entries(statuses).find(([, value]) => value === code)?.[0] ?? '').toUpperCase();

const cutAt = (text: string, width: number) => [...text].slice(0, width).join('');

const cut = (text: string, width: number) => {
  const points = [...text];
  return points.length <= width ? text.padEnd(width) : `${points.slice(0, width - 1).join('')}…`;
};

const bar = (share: number, width: number) => {
  const full = Math.round(Math.min(share, 1) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
};

/** A line about a task, at most this wide: the progress of this run and the state of the task. */
export const progressLine = (
  progress: TaskProgress,
  { totalContacts, taskName, status }: Pick<Statistics, 'totalContacts' | 'taskName' | 'status'>,
  columns = usualColumns,
): string => {
  const share = totalContacts === 0 ? 0 : progress.done / totalContacts;
  // Contacts that were deleted since may be among the done ones.
  const counts = [
    `${progress.done}/${Math.max(totalContacts, progress.done)} done`,
    `${progress.calls} calls, ${progress.succeeded} ok`,
    ...(progress.inCall > 0 ? [`${progress.inCall} in call`] : []),
    ...(progress.lost > 0 ? [`${progress.lost} lost`] : []),
    stateName(status),
  ].join('  ');
  const room = columns - counts.length - 2;
  const shownBar = room >= minNameWidth + barWidth + 2 ? [bar(share, barWidth)] : [];
  const nameRoom = room - (shownBar.length > 0 ? barWidth + 2 : 0);
  const shownName = nameRoom >= minNameWidth ? [cut(taskName, Math.min(nameRoom, nameWidth))] : [];
  return cutAt([...shownName, ...shownBar, counts].join('  '), columns);
};

/** Shows a line for each task of a simulation. On a terminal the lines are rewritten. */
export class ProgressLines {
  readonly #service: ServiceClient;
  readonly #simulator: Simulator;
  readonly #screen: Screen;
  #shown = 0;
  #drawing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(service: ServiceClient, simulator: Simulator, screen: Screen) {
    this.#service = service;
    this.#simulator = simulator;
    this.#screen = screen;
  }

  start(): void {
    // An error here is ignored, because the simulation meets it too, and shows it.
    const draw = () => {
      this.#drawing = this.#drawing.then(() => this.#draw()).catch(() => {});
    };
    this.#timer = setInterval(draw, this.#screen.isTTY ? liveMs : plainMs);
  }

  /** Draws the lines once more, with the final numbers. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#drawing;
    await this.#draw();
  }

  async #draw(): Promise<void> {
    const tasks = [...this.#simulator.progress];
    const statistics = await Promise.all(tasks.map(({ taskId }) => this.#service.statistics(taskId)));
    const { isTTY, columns = 0 } = this.#screen;
    // A line that wraps could not be rewritten.
    const width = isTTY && columns > 0 ? columns - 1 : usualColumns;
    const lines = tasks.map((task, i) => progressLine(task, statistics[i] as Statistics, width));
    if (!isTTY) {
      for (const line of lines) this.#screen.write(`${line}\n`);
      return;
    }
    const up = this.#shown > 0 ? `\u001b[${this.#shown}A` : '';
    this.#screen.write(`${up}${lines.map((line) => `\r${line}\u001b[K\n`).join('')}`);
    this.#shown = lines.length;
  }
}
