// The dependency table of CONTRIBUTING.md ("The dependency rule"), row by row: imports point from the edge to the engine.
const SPEC = '\\.spec\\.ts$';
const FEATURES = '^src/modules/(pull-requests|queues|metrics|test-health|audit|attestations|tokens)/';
const DOMAIN = '^src/domain/';
const HOST_REGISTRY = '^src/code-hosts/code-host(s\\.module|\\.registry)\\.ts$';
const OUTBOX = '^src/processing/outbox/';
/** The files that modules may import: the files that ask for decisions, and readers of decisions. */
const PROCESSING =
  '^src/processing/(decisions/(queue-processor|queue-input|submissions|needs-reader|pull-request-heads|state-messages|learned-figures|tested-run|decisions\\.module)|forecasts/(forecast-reader|forecasts\\.module))\\.ts$';
/** Decisions, the forecasts made with decisions, and the pull request views of decisions and forecasts. */
const DECIDING = '^src/processing/(decisions|forecasts|pull-request-views)/';
/** Logged decisions: the store writes them, and replays read them. */
const LOGGED_DECISIONS = '^src/processing/decision-log/';
const REPLAY = '^src/processing/replay/';
const NOTIFICATIONS = '^src/processing/notifications/';
const RETENTION = '^src/processing/retention/';
/** The file through which other rooms report their work for traces. */
const TRACES = '^src/processing/tracing/traces\\.ts$';
/** Reads shared by API, command line and pages. */
const VIEWS = '^src/modules/views/';
/** The files about webhooks that other rooms may import: adding an event, and the payload of an event. */
const WEBHOOK_EVENTS =
  '^src/processing/notifications/(append-events|append-test-events|events-of-decision|webhook-event)\\.ts$';
const GENERATED = '^src/generated/';
const PLATFORM = '^src/platform/';
const GLOBS = '^src/domain/glob-(set|dialects)\\.ts$';
/** The table of queue settings, which is the source of the command line's options. */
const QUEUE_SETTINGS = '^src/domain/(queue-settings|setting-kinds)\\.ts$';
/** Code that reads and checks signed statements. */
const STATEMENTS =
  '^src/modules/attestations/((statement|verify)/|(bundle-files|check-branch|opened-statements|trusted-keys)\\.ts$)';
const EXAMINE = '^src/examine-installation\\.ts$';
/** The kinds of hosts, for a command that registers repositories without a service. */
const KINDS_OF_HOSTS = '^src/code-hosts/(host-kinds|code-hosts\\.module)\\.ts$';
/** The modes of the check runner, which the doctor and the demo show. */
const CHECK_MODES = '^src/code-hosts/git/(check-modes|choose-confinement)\\.ts$';
const PREPARATIONS = '^src/code-hosts/[^/]+/prepare-[^/]+\\.ts$';
const PREPARATION_WORDS = '^src/code-hosts/preparation\\.ts$';
const APP_OF_GITHUB = '^src/code-hosts/github/app-(manifest|permissions)\\.ts$';

/** Adapters, and the modules with which they register. */
const ADAPTERS = '^src/code-hosts/(gitea|github|gitlab)/[^/]+-(host\\.adapter|hosts)\\.ts$';
const CERTIFY = '^src/cli/certify/';
const CONTRACT_OF_HOSTS = '^src/testing/(code-host-contract|contract/[^/]+)\\.ts$';

/** Data for pages: services and response types of the API. */
const READ_BY_PAGES = [
  '^src/modules/attestations/attestations\\.(module|service)\\.ts$',
  '^src/modules/test-health/http/(details/test-details|search/test-search|quarantine/quarantine)\\.service\\.ts$',
  '^src/modules/test-health/http/(details|lists|search|quarantine)/dto/',
  '^src/modules/pull-requests/(check-runs\\.service|pull-request-lists\\.service|pull-requests\\.(module|service)|[^/]+\\.dto)\\.ts$',
  '^src/modules/queues/(queues\\.(module|service)|queue-(cancellation|creation)\\.service|settings-preview\\.service|[^/]+\\.dto)\\.ts$',
  '^src/modules/webhooks/(webhooks\\.module|(webhooks|webhook-deliveries)\\.service|[^/]+\\.dto)\\.ts$',
  '^src/processing/notifications/webhook-event\\.ts$',
];

/** `except`: folders inside `from` that have their own rule. */
const mayImport = (name, from, allowed, except = []) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: [SPEC, ...except] },
  to: { path: '^src/', pathNot: [from, ...allowed] },
});

/** Engine types may be imported freely; engine functions may be imported only from the named files. */
const engineTypesOnly = (name, from, functions) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: SPEC },
  to: { path: '^src/engine/', pathNot: functions, dependencyTypesNot: ['type-only'] },
});

/** Doors inside a folder: the layers of test health, the tests for adapters, and the loader of snapshots. */
const DOORS_INSIDE = [
  '^src/modules/test-health/(http|reports)/',
  '^src/code-hosts/gitea/webhooks/delivered-events\\.ts$',
  '^src/processing/decisions/store/snapshot-loader\\.ts$',
  CONTRACT_OF_HOSTS,
];

module.exports = {
  forbidden: [
    {
      name: 'a-room-is-entered-by-its-doors',
      comment: 'Other rooms import files in the root of a room: here, in the root of each of its folders.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: SPEC },
      to: {
        path: '^src/(code-hosts|engine|modules|platform|processing)/[^/]+/[^/]+/',
        pathNot: ['^src/$1/', ...DOORS_INSIDE],
      },
    },
    {
      name: 'a-room-without-such-folders-is-entered-by-its-root',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: SPEC },
      to: { path: '^src/(cli|domain|extensions|testing|ui)/[^/]+/', pathNot: ['^src/$1/', ...DOORS_INSIDE] },
    },
    {
      name: 'modules-and-processing-are-entered-by-doors-from-inside-too',
      severity: 'error',
      from: { path: '^src/(modules|processing)/([^/]+)/', pathNot: SPEC },
      to: {
        path: '^src/(modules|processing)/[^/]+/[^/]+/',
        pathNot: ['^src/$1/$2/', ...DOORS_INSIDE],
      },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      comment: 'A package that has nothing but types has no file to resolve to; the compiler checks that import.',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true, pathNot: '^@octokit/types$' },
    },
    {
      name: 'no-dev-dependencies-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: SPEC },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'engine-imports-nothing-but-itself',
      comment: 'The engine is pure: no npm package, no module of Node, nothing of ours.',
      severity: 'error',
      from: { path: '^src/engine/', pathNot: SPEC },
      to: { pathNot: '^src/engine/' },
    },
    mayImport('platform-knows-nothing-about-merge-queues', PLATFORM, [GENERATED]),
    mayImport('domain', DOMAIN, ['^src/engine/']),
    engineTypesOnly('domain-uses-types-of-the-engine', DOMAIN, ['^src/engine/vocabulary\\.ts$']),
    mayImport('code-hosts', '^src/code-hosts/', [DOMAIN, PLATFORM, GENERATED]),
    mayImport('replay-needs-no-database', REPLAY, [DOMAIN, '^src/engine/', LOGGED_DECISIONS]),
    mayImport('logged-decisions', LOGGED_DECISIONS, ['^src/engine/']),
    {
      name: 'replay-and-logged-decisions-are-pure',
      comment: 'As the engine: no npm package, no module of Node.',
      severity: 'error',
      from: { path: [REPLAY, LOGGED_DECISIONS], pathNot: SPEC },
      to: { pathNot: '^src/' },
    },
    mayImport('outbox', OUTBOX, [DOMAIN, '^src/engine/', PLATFORM, HOST_REGISTRY, TRACES, GENERATED]),
    mayImport('tracing', '^src/processing/tracing/', [PLATFORM, GENERATED]),
    {
      name: 'opentelemetry-is-loaded-by-one-file',
      comment: 'It is imported only where traces are on.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/processing/tracing/otlp-sender\\.ts$' },
      to: { path: '@opentelemetry/' },
    },
    engineTypesOnly('outbox-uses-types-keys-and-messages-of-the-engine', OUTBOX, [
      '^src/engine/(commands|states|vocabulary)\\.ts$',
      '^src/engine/messages/(comment-markers|testing-pull-request)\\.ts$',
    ]),
    mayImport('decisions', DECIDING, [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      HOST_REGISTRY,
      OUTBOX,
      LOGGED_DECISIONS,
      NOTIFICATIONS,
      GENERATED,
    ]),
    mayImport('user-requests', '^src/processing/user-requests/', [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      HOST_REGISTRY,
      DECIDING,
      GENERATED,
    ]),
    engineTypesOnly('user-requests-use-types-and-messages-of-the-engine', '^src/processing/user-requests/', [
      '^src/engine/vocabulary\\.ts$',
      '^src/engine/messages/(comment-markers|command-answers)\\.ts$',
    ]),
    mayImport('inbox', '^src/processing/inbox/', [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      HOST_REGISTRY,
      DECIDING,
      '^src/processing/user-requests/',
      OUTBOX,
      GENERATED,
    ]),
    engineTypesOnly('inbox-uses-types-and-markers-of-the-engine', '^src/processing/inbox/', [
      '^src/engine/messages/comment-markers\\.ts$',
    ]),
    {
      name: 'nobody-imports-the-list-of-background-jobs',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/app\\.module\\.ts$'] },
      to: { path: '^src/background-jobs\\.ts$' },
    },
    {
      name: 'nobody-imports-what-schedules-background-jobs',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/platform/background/', '^src/app\\.module\\.ts$'] },
      to: { path: '^src/platform/background/' },
    },
    {
      name: 'nobody-imports-retention',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, RETENTION, '^src/app\\.module\\.ts$'] },
      to: { path: RETENTION },
    },
    mayImport('retention', RETENTION, [PLATFORM, GENERATED]),
    mayImport('shared', '^src/modules/shared/', [DOMAIN, '^src/engine/', PLATFORM, HOST_REGISTRY, GENERATED]),
    engineTypesOnly('shared-uses-types-of-the-engine', '^src/modules/shared/', [
      '^src/engine/(vocabulary|states)\\.ts$',
    ]),
    mayImport('views', VIEWS, [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      // Pages and API answers show the queue as a decision would see it.
      DECIDING,
      '^src/modules/shared/',
      GENERATED,
    ]),
    mayImport('features', FEATURES, [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      HOST_REGISTRY,
      PROCESSING,
      VIEWS,
      NOTIFICATIONS,
      REPLAY,
      LOGGED_DECISIONS,
      '^src/modules/shared/',
      GENERATED,
    ]),
    engineTypesOnly('features-use-types-and-explain-of-the-engine', FEATURES, [
      '^src/engine/(explain|settings-fit|vocabulary|states)\\.ts$',
    ]),
    {
      name: 'features-use-types-and-comparisons-of-replays',
      severity: 'error',
      from: { path: FEATURES, pathNot: SPEC },
      to: {
        path: [REPLAY, LOGGED_DECISIONS],
        pathNot: '/(anonymous|history-of-log|logged-decision|past-results|settings-comparison|settings-preview)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-never-import-features',
      severity: 'error',
      from: { path: FEATURES },
      to: { path: FEATURES, pathNot: '^src/modules/$1/' },
    },
    {
      name: 'rules-of-test-health-import-nothing-but-rules',
      comment:
        'They are pure: no npm package, no database. They use the hash of Node that makes the id of a test, and our matcher of globs, which imports nothing.',
      severity: 'error',
      from: { path: '^src/modules/test-health/rules/', pathNot: SPEC },
      to: { pathNot: ['^src/modules/test-health/rules/', GLOBS, '^(node:)?crypto$'] },
    },
    {
      name: 'globs-import-nothing',
      severity: 'error',
      from: { path: GLOBS, pathNot: SPEC },
      to: { pathNot: GLOBS },
    },
    mayImport('report-readers-of-test-health-stands-alone', '^src/modules/test-health/reports/', []),
    mayImport('storage-of-test-health-knows-no-http', '^src/modules/test-health/storage/', [
      '^src/modules/test-health/(rules|reports)/',
      // Test health sends events to the queues through their inbox.
      '^src/domain/host-event\\.ts$',
      NOTIFICATIONS,
      PLATFORM,
      GENERATED,
    ]),
    {
      name: 'only-the-module-of-test-health-imports-its-http',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/modules/test-health/(http/|test-health\\.module\\.ts$)'] },
      to: { path: '^src/modules/test-health/http/', pathNot: READ_BY_PAGES },
    },
    mayImport('webhooks', '^src/modules/webhooks/', [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      NOTIFICATIONS,
      '^src/modules/shared/',
      GENERATED,
    ]),
    mayImport('notifications', NOTIFICATIONS, [DOMAIN, '^src/engine/', PLATFORM, GENERATED]),
    engineTypesOnly('webhooks-use-types-of-the-engine', '^src/modules/webhooks/', ['^src/engine/vocabulary\\.ts$']),
    engineTypesOnly('notifications-use-types-of-the-engine', NOTIFICATIONS, ['^src/engine/vocabulary\\.ts$']),
    mayImport('events-of-webhooks-know-nothing-of-sending', WEBHOOK_EVENTS, ['^src/engine/', PLATFORM, GENERATED]),
    mayImport('extensions', '^src/extensions/', [
      DOMAIN,
      '^src/engine/vocabulary\\.ts$',
      PLATFORM,
      '^src/modules/shared/',
      '^src/modules/pull-requests/(pull-requests\\.(module|service)|pull-request-reader|[^/]+\\.dto)\\.ts$',
      '^src/modules/queues/(queues\\.(module|service)|[^/]+\\.dto)\\.ts$',
      GENERATED,
    ]),
    {
      name: 'only-the-composition-root-imports-extensions',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [SPEC, '^src/extensions/', '^src/testing/', '^src/(app\\.module|index|run-merge-queue)\\.ts$'],
      },
      to: { path: '^src/extensions/' },
    },
    mayImport('ui-shows-what-the-interface-answers', '^src/ui/', [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      '^src/modules/shared/',
      '^src/modules/views/',
      ...READ_BY_PAGES,
    ]),
    engineTypesOnly('ui-uses-types-of-the-engine', '^src/ui/', []),
    {
      name: 'only-the-composition-root-imports-ui',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/ui/', '^src/(app\\.module|create-merge-queue|index)\\.ts$'] },
      to: { path: '^src/ui/' },
    },
    mayImport(
      'cli-is-a-client',
      '^src/cli/',
      [
        PLATFORM,
        '^src/(create-merge-queue|run-merge-queue)\\.ts$',
        '^src/code-hosts/check-start\\.ts$',
        EXAMINE,
        KINDS_OF_HOSTS,
        APP_OF_GITHUB,
        PREPARATIONS,
        PREPARATION_WORDS,
        CHECK_MODES,
        QUEUE_SETTINGS,
        '^src/engine/vocabulary\\.ts$',
        // Proofs without a service, and the keys of signed statements.
        STATEMENTS,
        '^src/modules/attestations/change-keys\\.ts$',
        '^src/code-hosts/git/proof-repository\\.ts$',
        // Replays from a file, without a service.
        '^src/engine/settings-fit\\.ts$',
        REPLAY,
        '^src/domain/freeze-windows\\.ts$',
        '^src/modules/test-health/reports/(recognise|without-secrets)\\.ts$',
      ],
      // The certification of code hosts has its own rule below: it runs adapters unchanged.
      [CERTIFY],
    ),
    mayImport('certify-tries-adapters-as-they-are', CERTIFY, [
      DOMAIN,
      PLATFORM,
      ADAPTERS,
      // Local git, and readers of host answers.
      '^src/code-hosts/git/(git-command|git-config-file|git-hosts)\\.ts$',
      '^src/code-hosts/(reading|repository-identities|github/told-pushers|gitea/webhooks/delivered-events)\\.ts$',
      CONTRACT_OF_HOSTS,
    ]),
    {
      name: 'only-the-certify-command-certifies',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [SPEC, CERTIFY, '^src/cli/certify-work\\.ts$', '^src/cli/commands/certify\\.ts$'],
      },
      to: { path: CERTIFY },
    },
    {
      name: 'statements-are-read-without-a-service',
      comment: 'What `sluice verify` runs: no database, no clock, and no module of Nest.',
      severity: 'error',
      from: { path: STATEMENTS, pathNot: SPEC },
      to: { path: '^src/', pathNot: STATEMENTS },
    },
    {
      name: 'only-the-github-command-knows-the-app-of-github',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: '^src/cli/commands/github\\.ts$' },
      to: { path: APP_OF_GITHUB },
    },
    {
      name: 'only-the-commands-of-forges-prepare-repositories',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/cli/commands/forges\\.ts$'] },
      to: { path: PREPARATIONS },
    },
    mayImport('doctor', '^src/modules/doctor/', [
      DOMAIN,
      PLATFORM,
      HOST_REGISTRY,
      KINDS_OF_HOSTS,
      CHECK_MODES,
      OUTBOX,
      GENERATED,
    ]),
    {
      name: 'the-doctor-is-no-part-of-the-running-service',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, EXAMINE, '^src/modules/doctor/'] },
      to: { path: '^src/modules/doctor/' },
    },
    {
      name: 'only-the-doctor-command-examines',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/cli/commands/doctor\\.ts$'] },
      to: { path: EXAMINE },
    },
    {
      name: 'only-specs-import-test-support',
      severity: 'error',
      from: { path: '^src/', pathNot: SPEC },
      to: { path: '^test/' },
    },
    mayImport('testing-boots-the-service-on-a-host-in-memory', '^src/testing/', [
      DOMAIN,
      PLATFORM,
      '^src/code-hosts/memory/memory-host(\\.adapter)?\\.ts$',
      '^src/create-merge-queue\\.ts$',
      '^src/extensions/extension-migrations\\.ts$',
    ]),
    {
      name: 'the-product-does-not-import-its-test-kit',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/testing/'] },
      to: { path: '^src/testing/', pathNot: CONTRACT_OF_HOSTS },
    },
    {
      name: 'only-certify-has-the-contract-of-code-hosts',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/testing/', CERTIFY] },
      to: { path: CONTRACT_OF_HOSTS },
    },
    {
      name: 'nobody-imports-the-composition-root',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [SPEC, '^src/(main|index|create-merge-queue|run-merge-queue|app\\.module)\\.ts$'],
      },
      to: { path: '^src/(main|index|app\\.module)\\.ts$' },
    },
    {
      name: 'dto-knows-no-database',
      severity: 'error',
      from: { path: ['(/dto/|\\.dto\\.ts$)', '^src/modules/shared/(?!lookup-names|queue-locator|shared\\.module)'] },
      to: { path: ['^src/platform/database/', GENERATED] },
    },
    { name: 'no-import-of-specs', severity: 'error', from: { pathNot: SPEC }, to: { path: SPEC } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', GENERATED] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
