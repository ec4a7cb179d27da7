import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

const guides = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** The pages of the project, by their path. */
export const pages = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'llms.txt'],
  ...['bench/figures.md', 'console/README.md', 'examples/README.md'],
  ...guides,
];

export const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8');

/** A fenced block of a page. */
export type Block = {
  page: string;
  /** The number of its first line. */
  line: number;
  /** Empty where the page names none. */
  language: string;
  text: string;
  /** What the page says to save it as and how to run it, in the paragraph before the block. */
  file?: { name: string; command: string };
};

const fileIn = (before: string): Block['file'] => {
  const paragraph = before.trimEnd().split('\n\n').at(-1) ?? '';
  const [, name, command] =
    /[Ss]ave\s+(?:this|it)\s+as\s+`([^`]+)`[^`]*?run\s+`([^`]+)`/.exec(paragraph) ?? [];
  return name !== undefined && command !== undefined ? { name, command } : undefined;
};

export const blocksOf = (page: string): Block[] => {
  const whole = textOf(page);
  return [...whole.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map((match) => {
    const [, indent = '', language = '', text = ''] = match;
    const before = whole.slice(0, match.index);
    const file = fileIn(before);
    return {
      page,
      line: before.split('\n').length,
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      ...(file && { file }),
    };
  });
};

/**
 * What a reader types for a block: the block itself, or the file that it is saved as and the
 * command that runs it.
 */
export const typed = ({ text, file }: Block): string =>
  file === undefined ? text : `cat > ${file.name} <<'END OF FILE'\n${text}END OF FILE\n${file.command}\n`;

/** The pages whose blocks are pasted after each other against a running service, in their order. */
export const pastedPages = [
  'README.md',
  'docs/api.md',
  'docs/api-tasks.md',
  'docs/api-contacts.md',
  'docs/api-files.md',
];

/** The AWS CLI is not installed everywhere. */
export const needsAws = ({ text }: Block): boolean => /\b(aws|cdk|npm run stage) |<[A-Za-z ]+>/.test(text);

export const isPasted = (block: Block): boolean =>
  pastedPages.includes(block.page) &&
  (block.file !== undefined || (block.language === 'sh' && /BASE|\$ID/.test(block.text) && !needsAws(block)));

/** Where the text of the pages names a service, the one that runs. */
export const against = (url: string, script: string): string =>
  script.replaceAll('http://127.0.0.1:3000', url);
