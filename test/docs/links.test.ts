import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pages, root, textOf } from '../support/docs/pages.ts';

/** The anchors that GitHub gives to the headings of a page. */
const anchorsOf = (page: string) =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const isBroken = (page: string, link: string): boolean => {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
};

it.each(pages)('every link of %s leads to a file, and to a heading of it', (page) => {
  const links = [...textOf(page).matchAll(/(?:\]\(|\bsrc(?:set)?=")([^)"\s]+)/g)].map(
    ([, link = '']) => link,
  );
  const local = links.filter((link) => !/^https?:/.test(link));
  expect(local.filter((link) => isBroken(page, link))).toEqual([]);
});

it.each(pages)('every source file that %s names exists', (page) => {
  const folders = 'bench|bin|client|console|docs|functions|lib|local|scripts|shared|test';
  const named = [...textOf(page).matchAll(new RegExp(`\`((?:${folders})/[\\w./-]*)\``, 'g'))];
  expect(named.map(([, file = '']) => file).filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
