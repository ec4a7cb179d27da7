import { expect, it } from 'vitest';
import { words } from '../../../../shared/insight/rules/words.ts';

type Tree = { readonly [name: string]: string | Tree };

const named = (tree: Tree, path = ''): [name: string, word: string][] =>
  Object.entries(tree).flatMap(([name, each]): [string, string][] =>
    typeof each === 'string' ? [[`${path}${name}`, each]] : named(each, `${path}${name}.`),
  );
const namesOf = (tree: Tree) => named(tree).map(([name]) => name);

it('each language has a word for everything, in its own letters', () => {
  expect(namesOf(words.zh)).toEqual(namesOf(words.en));
  for (const [name, word] of named(words.en)) expect(word, name).toMatch(/^[A-Z][ -~]+$/);
  for (const [name, word] of named(words.zh)) expect(word, name).toMatch(/\p{Script=Han}/u);
});

it.each(['en', 'zh'] as const)('%s has no word for two things of a kind', (language) => {
  for (const kind of ['standing', 'reason', 'sheet'] as const) {
    const all = Object.values(words[language][kind]);
    expect(
      all.filter((word, at) => all.indexOf(word) !== at),
      kind,
    ).toEqual([]);
  }
});
