import { status as statuses } from '../../shared/domain/task-states.ts';
import type { ServiceClient, Statistics } from './service-client.ts';
import type { Simulator, TaskProgress } from './simulator.ts';

export type Screen = { isTTY?: boolean; columns?: number; write: (text: string) => unknown };

const barWidth = 20;
const nameWidth = 24;
const liveMs = 250;
/** A file or a pipe gets a new line for each task each time, so there are fewer. */
const plainMs = 2000;

const stateName = (code: number) =>
  (Object.entries(statuses).find(([, value]) => value === code)?.[0] ?? '').toUpperCase();

const cut = (text: string, width: number) => {
  const points = [...text];
  return points.length <= width ? text.padEnd(width) : `${points.slice(0, width - 1).join('')}…`;
};

const bar = (share: number, width: number) => {
  const full = Math.round(Math.min(share, 1) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
};

/** One task in one line: how far this run has brought it, and what the service has counted. */
export const progressLine = (progress: TaskProgress, statistics: Statistics): string => {
  const { totalContacts, callCount, successCount, failCount, noAnswerCount } = statistics;
  const share = totalContacts === 0 ? 0 : progress.finals / totalContacts;
  return [
    cut(statistics.taskName, nameWidth),
    bar(share, barWidth),
    `${progress.finals}/${totalContacts} done`.padEnd(16),
    `${callCount} calls: ${successCount} ok, ${noAnswerCount} no answer, ${failCount} failed`,
    `${progress.inCall} in call`,
    ...(progress.lost > 0 ? [`${progress.lost} lost`] : []),
    stateName(statistics.status),
  ].join('  ');
};

/** Shows a line for each task while a simulation runs; rewritten in place on a terminal. */
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
    // What keeps the lines from being drawn ends the simulation too, which says so.
    const draw = () => {
      this.#drawing = this.#drawing.then(() => this.#draw()).catch(() => {});
    };
    this.#timer = setInterval(draw, this.#screen.isTTY ? liveMs : plainMs);
  }

  /** The last lines, as things stand at the end. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#drawing;
    await this.#draw();
  }

  async #draw(): Promise<void> {
    const tasks = [...this.#simulator.progress];
    const statistics = await Promise.all(tasks.map(({ taskId }) => this.#service.statistics(taskId)));
    const lines = tasks.map((task, i) => progressLine(task, statistics[i] as Statistics));
    const { isTTY, columns = 0 } = this.#screen;
    if (!isTTY) {
      for (const line of lines) this.#screen.write(`${line}\n`);
      return;
    }
    // A line that wraps could not be rewritten.
    const fitting = lines.map((line) => (columns > 0 ? [...line].slice(0, columns - 1).join('') : line));
    const up = this.#shown > 0 ? `\u001b[${this.#shown}A` : '';
    this.#screen.write(`${up}${fitting.map((line) => `\r${line}\u001b[K\n`).join('')}`);
    this.#shown = fitting.length;
  }
}
