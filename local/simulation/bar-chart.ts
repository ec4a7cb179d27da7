import { styleText } from 'node:util';

type Bar = { label: string; count: number; color: 'green' | 'yellow' | 'red' | 'cyan' };

const width = 36;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Drawn in eighths of a character, so that small counts stay visible. */
const barOf = (count: number, most: number): string => {
  const steps = most === 0 ? 0 : Math.round((count / most) * width * 8);
  const drawn = '█'.repeat(Math.floor(steps / 8)) + eighths[steps % 8];
  return drawn === '' && count > 0 ? '▏' : drawn;
};

/** Bars on a common scale, with counts and shares of the whole. */
export const barChart = (bars: readonly Bar[], colored: boolean): string => {
  const most = Math.max(...bars.map(({ count }) => count));
  const whole = bars.reduce((sum, { count }) => sum + count, 0);
  const labelWidth = Math.max(...bars.map(({ label }) => label.length));
  const countWidth = Math.max(...bars.map(({ count }) => String(count).length));
  return bars
    .map(({ label, count, color }) => {
      const bar = barOf(count, most).padEnd(width);
      const share = whole === 0 ? 0 : (100 * count) / whole;
      return [
        `  ${label.padEnd(labelWidth)}`,
        colored ? styleText(color, bar) : bar,
        `${String(count).padStart(countWidth)}  ${share.toFixed(1).padStart(5)} %`,
      ].join('  ');
    })
    .join('\n');
};
