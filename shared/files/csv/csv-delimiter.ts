const DELIMITERS = [',', ';', '\t'];
const TITLES_CHARACTERS = 64 * 1024;

/** The delimiter of the title row: the one that sets a phoneNumber title apart, else the most frequent. */
export function delimiterOf(text: string): string {
  const titles = titleRow(text.slice(0, TITLES_CHARACTERS));
  const counted = DELIMITERS.map((delimiter) => {
    const cells = unquotedSplit(titles, delimiter);
    return { delimiter, score: cells.length + (cells.some(isPhoneTitle) ? TITLES_CHARACTERS : 0) };
  });
  return counted.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

const isPhoneTitle = (title: string) => title.replaceAll('"', '').trim().toLowerCase() === 'phonenumber';

/** The first line that is not empty; a line break inside quotes belongs to it. */
function titleRow(text: string): string {
  const start = text.search(/[^\r\n]/);
  let quoted = false;
  for (let at = Math.max(start, 0); at < text.length; at++) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) return text.slice(start, at);
  }
  return text.slice(Math.max(start, 0));
}

function unquotedSplit(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted;
    else if (!quoted && text[at] === delimiter) {
      cells.push(text.slice(start, at));
      start = at + 1;
    }
  }
  cells.push(text.slice(start));
  return cells;
}
