const DELIMITERS = [',', ';', '\t'];
const LINES = 20;

/** The delimiter of a file's first rows: the one that sets titles apart, else the most frequent. */
export function delimiterOf(head: string, areTitles: (cells: string[]) => boolean): string {
  const lines = [...linesOf(head)];
  const counted = DELIMITERS.map((delimiter) => {
    const rows = lines.map((line) => unquotedSplit(line, delimiter));
    const most = rows.reduce((cells, row) => Math.max(cells, row.length), 0);
    return { delimiter, score: most + (rows.some(areTitles) ? head.length : 0) };
  });
  return counted.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

/** The first lines; a line break inside quotes belongs to its line. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  let quoted = false;
  let count = 0;
  for (let at = 0; at < text.length && count < LINES; at++) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    if (quoted || (character !== '\n' && character !== '\r')) continue;
    if (at > start) yield text.slice(start, at);
    start = at + 1;
    count++;
  }
  if (count < LINES) yield text.slice(start);
}

function unquotedSplit(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === '"') quoted = !quoted;
    if (at < text.length && (quoted || text[at] !== delimiter)) continue;
    cells.push(text.slice(start, at).replaceAll('"', ''));
    start = at + 1;
  }
  return cells;
}
