import { describe, expect, it } from 'vitest';
import { keys } from '../../../shared/platform/table/keys.ts';
import { rolesOf } from '../../support/aws/deployed-service.ts';
import { everything } from '../../support/aws/stack-parts.ts';
import { resourcesOf, synthesized } from '../../support/aws/synthesized-stack.ts';
import { FaultProcess } from '../../support/faults/fault-process.ts';
import { finish } from '../../support/faults/finish.ts';
import { fillFirstPages, LargeListsProcess } from '../../support/faults/further-pages.ts';
import { useSmallParts } from '../../support/faults/import-scenarios.ts';
import { rareWays } from '../../support/faults/rare-ways.ts';
import { RoleLine } from '../../support/faults/role-line.ts';
import { longerWays, scenarios } from '../../support/faults/scenarios.ts';
import { World } from '../../support/faults/world.ts';
import { isWhole } from '../../support/run/extent.ts';

/** A task that was not to be looked at before long. */
const sooner = [/(GetItem|PutItem|UpdateItem) .* AGENDA#(calls|callbacks)#/];

/** Of every POST: what a repetition looks for, and what a failure of ours takes back. */
const repetition = /(GetItem|DeleteItem) .* ONCE#\*/;

/** Each process reads the format when it starts; bundled functions do, under the same roles. */
const atStart = /GetItem .* FORMAT$/;

/** A new table: a function sees by the lists whether it is one, and `setsUp` record its format. */
const newTable = /GetItem .* ROLL#/;
const setsUp = ['addDataSource', 'doDueWork'];

/** An import that updates a contact which a task has settled as not selected. */
const selectedAgain = /UpdateItem .* TASK/;
/** An import that its runner gives back. */
const givenBack = /(GetItem|UpdateItem) .* AGENDA#import$/;

/** A task with a `callUntil` that ends before it, and a task whose callbacks are over. */
const [endsEarly, noCallbacks] = [/DeleteItem .* AGENDA#end$/, /DeleteItem .* AGENDA#callbacks#/];

/** The file itself is sent to the address that was given out. */
const uploaded = /PutObject .*imports/;

/** An import that fails. */
const importFails = /PutItem .* IMPORTS#FAILED$/;

/**
 * Another process counts the calls to numbers meanwhile. `reportResult` and the lists of contacts try the same code.
 */
const countedElsewhere = /(GetItem|PutItem|Query) .* (COUNTING|NUMBER#\*|DAY#\*|ROLL#task)$/;

/** Granted for ways through a function that no scenario takes. */
const reserve: Record<string, RegExp[]> = {
  // A new table.
  addDataSource: [/PutItem .* FORMAT$/],
  failTask: [endsEarly],
  // A stage that is being updated.
  doDueWork: [countedElsewhere, /PutItem .* (FORMAT|AGENDA#end)$/, ...sooner],
  adjustTask: [/DeleteItem .* AGENDA#deferred$/, ...sooner],
  // Contacts whose first call has not ended, and that are no neighbours.
  closeTask: [/BatchGetItem .* TASK/],
  // Contacts that were deleted before their turn, or have time zones of their own.
  taskOverview: [/BatchGetItem .* DS#\*/],
  taskOverviews: [/BatchGetItem .* DS#\*/],
  taskBoard: [/BatchGetItem .* DS#\*/],
  leaseCalls: sooner,
  // A lease that ran out.
  pumpCalls: [/(DeleteItem|ConditionCheckItem) .* TASK/, endsEarly, noCallbacks, ...sooner],
  connectResults: [countedElsewhere, endsEarly, ...sooner],
  reportResult: [endsEarly],
  reportResults: [countedElsewhere, endsEarly, ...sooner],
  recallTask: sooner,
  // The first contact of the do-not-call list.
  // An agreed callback that a limit has moved meanwhile.
  annotateCall: [countedElsewhere, /(ConditionCheck|Get)Item .* DS#\*/, /AGENDA#callbacks/],
  // A contact that waited for others.
  addContact: [/DeleteItem .* DS#\*/, ...sooner],
  updateContact: [countedElsewhere, ...sooner],
  releaseCall: sooner,
  // A receiver that answers 410, a stretch that is longer than one step.
  deliverEvents: [/PutItem .* (WEBHOOK|AGENDA#stretch#\*)$/],
  batchDelete: sooner,
  // A contact that an import is adding, a number that left the do-not-call list meanwhile.
  erasePerson: [/:GetItem .* DS#/, /UpdateItem .* AGENDA#erasure$/],
  // A batch that was sent again.
  batchAdd: [importFails, /ListBucket .*uploads/, selectedAgain, givenBack],
  // An import that was registered before.
  importUpload: [/GetItem/, uploaded],
  // An import that was sent again.
  batchImport: [importFails, /ListBucket .*uploads/, selectedAgain, givenBack],
  // A report that has expired, or of a file that came with a request.
  importStatus: [/ListBucket/, /uploads/],
  // An import of a file that came with a request.
  cancelImport: [/uploads/, givenBack, ...sooner],
  // Uploads that break off.
  batchExport: [/AbortMultipartUpload/],
  exportTask: [/AbortMultipartUpload/],
  exportCalls: [/AbortMultipartUpload/],
  preflightBlocked: [/AbortMultipartUpload/],
  rejectedRows: [/AbortMultipartUpload/, /ListBucket/],
  importFile: [importFails, /ListBucket/, selectedAgain, givenBack],
  doDueFileWork: [/ConditionCheckItem .* DS#\*/, /BatchWriteItem .* AGENDA#callbacks/, givenBack],
};

type Size = {
  grow: (world: World) => Promise<void>;
  open: (world: World, line: RoleLine) => FaultProcess;
};
/** `npm test` tries the larger one: it needs whatever the other needs. */
const small: Size = { grow: async () => {}, open: (world, line) => new FaultProcess(world, line) };
const large: Size = { grow: fillFirstPages, open: (world, line) => new LargeListsProcess(world, line) };
const sizes: [string, Size][] = [
  ['directories of several pages', large],
  ...(isWhole ? ([['small data', small]] as [string, Size][]) : []),
];

describe('the roles of the template', () => {
  useSmallParts();
  const template = synthesized(everything).json;
  const nameOf = (type: string) => resourcesOf(template, type)[0]![0];
  const roles = rolesOf(template);
  const line = new RoleLine(roles, {
    table: nameOf('AWS::DynamoDB::Table'),
    bucket: nameOf('AWS::S3::Bucket'),
    bus: nameOf('AWS::Events::EventBus'),
  });

  describe.each(sizes)('with %s', (_, { grow, open }) => {
    it.each([...scenarios, ...longerWays])('grant what $name needs', async (scenario) => {
      const { snapshot, run } = await scenario.prepare();
      const world = await World.open(snapshot);
      await grow(world);
      const process = open(world, line);
      const answer = await run(process, world);
      expect(answer?.status ?? 200, answer?.body.message).toBe(200);
      await finish(scenario, process, world);
      await world.close();
    });

    it.each(Object.entries(rareWays))('grant what is needed: %s', async (_, way) => {
      const world = await World.open();
      await grow(world);
      await way(open(world, line), world);
      await world.close();
    });
  });

  it('refused nothing, and grant no more', () => {
    for (const [id, role] of roles) expect({ id, refused: role.refused }).toEqual({ id, refused: [] });
    const superfluous = [...roles].flatMap(([id, { unused }]) =>
      unused
        .filter(
          (piece) =>
            ![repetition, atStart, newTable, ...(reserve[id] ?? [])].some((known) => known.test(piece)),
        )
        .map((piece) => `${id}: ${piece}`),
    );
    expect(superfluous, 'do what needs it in test/support/faults/rare-ways.ts, or grant less').toEqual([]);
  });

  it('may not write the format of the table, except the two that set up a new table', () => {
    const resource = nameOf('AWS::DynamoDB::Table');
    const format = { resource, keys: [keys.format.pk] };
    const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLUpdate'];
    const writers = [...rolesOf(template)].filter(([, role]) =>
      writes.some((action) => role.permits({ ...format, action: `dynamodb:${action}` })),
    );
    expect(writers.map(([id]) => id).sort()).toEqual(setsUp);
  });
});
