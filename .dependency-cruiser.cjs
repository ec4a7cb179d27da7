// Imports point one way. A room imports only the rooms before it: the files at their top, their `rules/` (pure rules) and
// their `routes/` (routes and grants, as data). The other folders of a room are its own.
// platform <- files <- contacts <- ... <- events <- connect <- app <- functions <- lib, local.
const platform = [
  'rules',
  'time',
  'settings',
  'observability',
  'table',
  'requests',
  'agenda',
  'objects',
  'api',
  'http',
];
const features = [
  'files',
  'contacts',
  'tasks',
  'calls',
  'dialing',
  'imports',
  'people',
  'insight',
  'events',
  'connect',
];
/** From the lowest to the highest. What belongs to no feature lies in `app`, above them all. */
const rooms = [...platform.map((name) => `platform/${name}`), ...features];
const hosts = 'functions|lib|local|bin|test|bench|scripts|console';

const layer = (name, from, to, except = []) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: to, pathNot: except },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...rooms.map((room, at) =>
      layer(
        `rooms-below-${room}`,
        `^shared/${room}/`,
        `^(shared/(${[...rooms.slice(at + 1), 'app'].join('|')})/|(${hosts})/)`,
      ),
    ),
    layer('app-below-functions', '^shared/app/', `^(${hosts})/`),
    layer('functions-below-hosts', '^functions', '^(lib|local|bin|test|bench|scripts|console)/'),
    // The tests of a room may look into its folders.
    ...rooms.map((room) => ({
      name: `folders-of-${room}-are-its-own`,
      severity: 'error',
      from: { pathNot: `^(test/)?shared/${room}/` },
      to: { path: `^shared/${room}/(?!rules/|routes/)[^/]+/` },
    })),
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '^shared/([^/]+/rules/|platform/time/)' },
      to: {
        pathNot: [
          '^shared/([^/]+/rules/|platform/time/)',
          // Types of schemas: nothing of it is there when the code runs.
          'node_modules/json-schema-to-ts',
        ],
      },
    },
    {
      name: 'routes-are-data',
      severity: 'error',
      from: { path: '^shared/([^/]+/routes/|platform/api/)' },
      to: {
        pathNot: ['^shared/([^/]+/(routes|rules)/|platform/(api|time)/)', 'node_modules/json-schema-to-ts'],
      },
    },
    layer('no-sdk-in-functions', '^functions', 'node_modules/@aws-sdk'),
    // A function would load all validators at its start.
    layer('no-index-in-functions', '^functions', '^shared/app/generated/index'),
    layer('client-stands-alone', '^client', '^(shared|functions|lib|local|bin|console|test|bench)'),
    layer('page-knows-rules-and-client', '^console/src', `^(shared|functions|lib|local|bin|test|bench)/`, [
      '^shared/[^/]+/rules/',
      '^shared/platform/time/',
    ]),
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
