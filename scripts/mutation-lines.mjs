// A reporter of Stryker: one line for each mutant that was tried, as JSON. scripts/mutate.ts reads them.
const lines = () => ({
  onMutationTestingPlanReady: ({ mutantPlans }) => print({ mutants: mutantPlans.length }),
  onMutantTested: ({ status, fileName, location, mutatorName, replacement }) =>
    print({ status, file: fileName, line: location.start.line, mutatorName, replacement }),
});

const print = (line) => process.stdout.write(`\n#mutant ${JSON.stringify(line)}\n`);

export const strykerPlugins = [{ kind: 'Reporter', name: 'lines', factory: lines }];
