// Imports point one way:
// domain, settings <- api, store, files, observability <- transfer, connect, events, webhooks, http <- runtime <- functions <- lib, local.
const above = 'transfer|connect|events|webhooks|http|runtime';
/** Rooms of the store. */
const rooms = [
  'agenda',
  'calls',
  'contacts',
  'dialing',
  'directory',
  'events',
  'imports',
  'insight',
  'migrations',
  'objects',
  'pace',
  'person',
  'preflight',
  'removals',
  'requests',
  'rules',
  'table',
  'tasks',
  'webhooks',
];
const seenByRecounts = [
  'dialing/records/(dialing-items|intake-items|task-contacts|task-counters)',
  'directory/(live-counts|phone-block)',
  'insight/task-progress',
  'objects/(s3-client|s3-objects)',
  'pace/pace-items',
  'table/list-gaps',
];
const layer = (name, from, to, except = []) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: to, pathNot: except },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    layer(
      'domain-is-pure',
      '^shared/domain',
      `^(shared/(api|store|files|${above})|functions|lib|local|bin|test|bench|node_modules)`,
      // Types of schemas: nothing of it is there when the code runs.
      ['node_modules/json-schema-to-ts'],
    ),
    layer(
      'settings-stand-alone',
      '^shared/settings',
      `^(shared/(api|store|files|${above})|functions|lib|local|bin|test|bench|node_modules)`,
    ),
    layer(
      'api-is-data',
      '^shared/api',
      `^(shared/(store|files|${above})|functions|lib|local|bin|test|bench)`,
    ),
    layer(
      'store-below-http',
      '^shared/store',
      `^(shared/(files|${above})|functions|lib|local|bin|test|bench)`,
    ),
    layer(
      'files-below-http',
      '^shared/files',
      `^(shared/(store|${above})|functions|lib|local|bin|test|bench)`,
    ),
    layer(
      'adapters-below-functions',
      '^shared/(connect|events|webhooks)/',
      '^(shared/(files|transfer|http|runtime)|functions|lib|local|bin|test|bench)',
    ),
    layer(
      'observability-stands-alone',
      '^shared/observability',
      `^(shared/(store|files|${above})|functions|lib|local|bin|test|bench)`,
    ),
    layer(
      'transfer-below-http',
      '^shared/transfer',
      '^(shared/(connect|events|webhooks|http|runtime)|functions|lib|local|bin|test|bench)',
    ),
    layer('http-below-runtime', '^shared/http', '^(shared/runtime|functions|lib|local|bin|test|bench)'),
    layer('runtime-below-functions', '^shared/runtime', '^(functions|lib|local|bin|test|bench)'),
    layer('functions-below-hosts', '^functions', '^(lib|local|bin|test|bench)'),
    // The door of a folder is its `index.ts`: the only file that other folders import.
    ...['files', ...rooms.map((room) => `store/${room}`)].map((folder) => ({
      name: `door-of-${folder}`,
      severity: 'error',
      from: { path: '^(shared|functions|lib|local|scripts|bin)/', pathNot: `^shared/${folder}/` },
      to: { path: `^shared/${folder}/`, pathNot: `^shared/${folder}/index\\.ts$` },
    })),
    {
      name: 'tests-use-the-doors',
      severity: 'error',
      // A room's own tests look inside. So do recounts of what the table holds, and the stand-ins of AWS.
      from: { path: '^test/', pathNot: '^test/shared/store/' },
      to: {
        path: `^shared/store/(${rooms.join('|')})/(?!index\\.ts$)`,
        pathNot: `^shared/store/(${seenByRecounts.join('|')})\\.ts$`,
      },
    },
    layer('no-sdk-in-functions', '^functions', 'node_modules/@aws-sdk'),
    // A function would load all routes, or all validators, at its start.
    layer('no-index-in-functions', '^functions', '^shared/api/(routes|generated)/index'),
    layer('client-stands-alone', '^client', '^(shared|functions|lib|local|bin|console|test|bench)'),
    layer(
      'page-knows-rules-and-client',
      '^console/src',
      '^(shared/(?!domain)|functions|lib|local|bin|test|bench)',
    ),
    // base <- i18n, session <- api <- ui <- parts <- features <- frame.
    layer('base-of-the-console', '^console/src/base/', '^console/src/(?!base/)'),
    layer(
      'words-and-session-below-api',
      '^console/src/(i18n|session)/',
      '^console/src/(api|ui|parts|features|frame)/',
    ),
    layer('console-api-below-ui', '^console/src/api/', '^console/src/(ui|parts|features|frame)/'),
    layer('console-ui-below-parts', '^console/src/ui/', '^console/src/(parts|features|frame)/'),
    layer('parts-below-features', '^console/src/parts/', '^console/src/(features|frame)/'),
    layer('features-below-frame', '^console/src/features/', '^console/src/frame/'),
    layer('features-know-no-features', '^console/src/features/([^/]+)/', '^console/src/features/', [
      '^console/src/features/$1/',
    ]),
    layer('product-knows-no-tests', '^(shared|functions|lib|local|bin|console|client)', '^(test|bench)'),
    {
      name: 'no-dev-dependency-in-lambda',
      severity: 'error',
      from: { path: '^(functions|shared)' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
};
