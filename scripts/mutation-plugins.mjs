import { createHash } from 'node:crypto';

// Plugins of Stryker for scripts/mutate.ts. `lines` prints one line for each mutant, as JSON;
// `sample` lets through one mutant of MUTATE_ONE_OF, the same ones for the same MUTATE_SEED.

const { MUTATE_ONE_OF = '1', MUTATE_SEED = '1' } = process.env;

const isChosen = ({ id }) =>
  createHash('sha256').update(`${MUTATE_SEED} ${id}`).digest().readUInt32BE() % Number(MUTATE_ONE_OF) === 0;

const print = (line) => process.stdout.write(`\n#mutant ${JSON.stringify(line)}\n`);

const lines = () => ({
  onMutationTestingPlanReady: ({ mutantPlans }) =>
    print({ mutants: mutantPlans.filter(({ mutant }) => isChosen(mutant)).length }),
  onMutantTested: (mutant) => {
    const { status, fileName, location, mutatorName, replacement } = mutant;
    if (isChosen(mutant))
      print({ status, file: fileName, line: location.start.line, mutatorName, replacement });
  },
});

const sample = () => ({
  init: async () => {},
  group: async (mutants) => [mutants.map(({ id }) => id)],
  check: async (mutants) =>
    Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isChosen(mutant) ? { status: 'passed' } : { status: 'compileError', reason: 'not chosen' },
      ]),
    ),
});

export const strykerPlugins = [
  { kind: 'Reporter', name: 'lines', factory: lines },
  { kind: 'Checker', name: 'sample', factory: sample },
];
