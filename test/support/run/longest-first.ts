import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes minutes in one worker: begun last, it would run alone at the end. */
const longest = [
  'console.all.test.ts',
  'console.test.ts',
  'stack.all.test.ts',
  'overtaken.test.ts',
  'hostile-uploads.all.test.ts',
  'every-call.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? longest.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
