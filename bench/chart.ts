export type Series = { name: string; className: string; points: readonly { x: number; y: number }[] };
export type Chart = { title: string; xLabel: string; yLabel: string; series: readonly Series[] };

const width = 640;
const height = 380;
const box = { left: 76, right: 470, top: 48, bottom: 318 };

/** Explicit colours, for a light and a dark page. */
const style = `
.page{fill:#ffffff}.text{fill:#24292f;font:13px system-ui,sans-serif}.title{font-weight:600;font-size:15px}
.grid{stroke:#d8dee4;stroke-width:1}.axis{stroke:#57606a;stroke-width:1}
.line{fill:none;stroke-width:2.5}.ours{stroke:#0969da;fill:#0969da}.naive{stroke:#cf222e;fill:#cf222e}
.postgres{stroke:#1a7f37;fill:#1a7f37}.trigrams{stroke:#9a6700;fill:#9a6700}
.line.ours,.line.naive,.line.postgres,.line.trigrams{fill:none}
@media (prefers-color-scheme:dark){
.page{fill:#0d1117}.text{fill:#e6edf3}.grid{stroke:#30363d}.axis{stroke:#8b949e}
.ours{stroke:#58a6ff;fill:#58a6ff}.naive{stroke:#ff7b72;fill:#ff7b72}
.postgres{stroke:#56d364;fill:#56d364}.trigrams{stroke:#e3b341;fill:#e3b341}}`;

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 });
const log = (value: number) => Math.log10(Math.max(value, 0.1));

/** Whole powers of ten around the values. */
const range = (values: readonly number[]): [number, number] => {
  const low = Math.floor(Math.min(...values.map(log)));
  return [low, Math.max(low + 1, Math.ceil(Math.max(...values.map(log)) - 1e-9))];
};

const powers = ([low, high]: [number, number]) =>
  Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));

const scale =
  ([low, high]: [number, number], from: number, to: number) =>
  (value: number) =>
    from + ((log(value) - low) / (high - low)) * (to - from);

const text = (x: number, y: number, content: string, more = '') =>
  `<text class="text" x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content}</text>`;

/** Labels at the ends of the lines, moved apart where they would overlap. */
const labelHeights = (ends: readonly number[]): number[] => {
  const heights = [...ends];
  const order = [...ends.keys()].sort((a, b) => ends[a]! - ends[b]!);
  for (let i = 1; i < order.length; i++) {
    heights[order[i]!] = Math.max(heights[order[i]!]!, heights[order[i - 1]!]! + 17);
  }
  return heights;
};

/** Cost against the number of contacts, both on logarithmic axes. */
export const chartSvg = ({ title, xLabel, yLabel, series }: Chart): string => {
  const points = series.flatMap((each) => each.points);
  const xRange = range(points.map(({ x }) => x));
  const yRange = range(points.map(({ y }) => y));
  const xAt = scale(xRange, box.left, box.right);
  const yAt = scale(yRange, box.bottom, box.top);
  const horizontal = powers(yRange).map(
    (value) =>
      `<line class="grid" x1="${box.left}" x2="${box.right}" y1="${yAt(value)}" y2="${yAt(value)}"/>` +
      text(box.left - 8, yAt(value) + 4, short.format(value), 'text-anchor="end"'),
  );
  const vertical = powers(xRange).map((value) =>
    text(xAt(value), box.bottom + 20, short.format(value), 'text-anchor="middle"'),
  );
  const labels = labelHeights(series.map((each) => yAt(each.points.at(-1)!.y)));
  const lines = series.map(({ name, className, points: own }, i) => {
    const path = own.map(({ x, y }) => `${xAt(x).toFixed(1)},${yAt(y).toFixed(1)}`).join(' ');
    const dots = own.map(
      ({ x, y }) =>
        `<circle class="${className}" cx="${xAt(x).toFixed(1)}" cy="${yAt(y).toFixed(1)}" r="3.5"/>`,
    );
    const label = `${name}: ${short.format(own.at(-1)!.y)}`;
    return `<polyline class="line ${className}" points="${path}"/>${dots.join('')}${text(box.right + 12, labels[i]! + 4, label)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>${style}</style>
<rect class="page" width="${width}" height="${height}" rx="6"/>
${text(20, 26, title, 'style="font-weight:600;font-size:15px"')}
${horizontal.join('\n')}
${vertical.join('\n')}
<line class="axis" x1="${box.left}" x2="${box.right}" y1="${box.bottom}" y2="${box.bottom}"/>
${text((box.left + box.right) / 2, box.bottom + 44, xLabel, 'text-anchor="middle"')}
${text(0, 0, yLabel, `text-anchor="middle" transform="translate(22 ${(box.top + box.bottom) / 2}) rotate(-90)"`)}
${lines.join('\n')}
</svg>
`;
};
