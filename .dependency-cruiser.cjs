// The dependency table of CONTRIBUTING.md ("The dependency rule"), row by row: imports point from the edge to the engine.
const SPEC = '\\.spec\\.ts$';
const FEATURES = '^src/(pull-requests|queues|metrics|test-health|audit|attestations)/';
const DOMAIN = '^src/domain/';
const HOST_REGISTRY = '^src/code-hosts/code-host(s\\.module|\\.registry)\\.ts$';
/** What other rooms may know of the outbox: how a task is added to it. */
const OUTBOX_APPEND = '^src/outbox/append-tasks\\.ts$';
const PROCESSING =
  '^src/queue-processing/(queue-processor|queue-input|submissions|needs-reader|pull-request-heads|state-messages|forecast-reader|learned-figures|tested-run|queue-processing\\.module)\\.ts$';
/** What other rooms tell of their work for traces. */
const TRACES = '^src/tracing/traces\\.ts$';
/** The reads that the interface, the command line and the page share. */
const READING = '^src/reading/';
/** What other rooms may know of webhooks: how an event is added, with what it tells of. */
const WEBHOOK_EVENTS = '^src/webhooks/events/';
const GENERATED = '^src/generated/';
const PLATFORM = '^src/platform/';
/** The table of queue settings, from which the command line makes its options. */
const QUEUE_SETTINGS = '^src/domain/(queue-settings|setting-kinds)\\.ts$';
/** how signed statements are read and checked. */
const STATEMENTS = '^src/attestations/(statement|verify)/';
const EXAMINE = '^src/examine-installation\\.ts$';
/** Which kinds of hosts there are: for a command that registers repositories without a service. */
const KINDS_OF_HOSTS = '^src/code-hosts/(host-kinds|code-hosts\\.module)\\.ts$';
/** Whether the check runner runs: the doctor and the demo say so. */
const CHECK_MODES = '^src/code-hosts/git/check-runner/(check-modes|choose-confinement)\\.ts$';
const PREPARATIONS = '^src/code-hosts/[^/]+/prepare-[^/]+\\.ts$';
const PREPARATION_WORDS = '^src/code-hosts/preparation\\.ts$';
const APP_OF_GITHUB = '^src/code-hosts/github/app-(manifest|permissions)\\.ts$';

/** Adapters, and what they register themselves with. */
const ADAPTERS = '^src/code-hosts/(gitea|github|gitlab)/[^/]+-(host\\.adapter|hosts)\\.ts$';
const CONTRACT_OF_HOSTS = '^src/testing/(code-host-contract|contract/[^/]+)\\.ts$';

/** What pages show: the services and answers of the interface. */
const READ_BY_PAGES = [
  '^src/attestations/attestations\\.(module|service)\\.ts$',
  '^src/test-health/http/(details/test-details|search/test-search|quarantine/quarantine)\\.service\\.ts$',
  '^src/test-health/http/(details|lists|search|quarantine)/dto/',
  '^src/pull-requests/(check-runs\\.service|pull-request-lists\\.service|pull-requests\\.(module|service)|dto/.*)\\.ts$',
  '^src/queues/(queues\\.(module|service)|queue-(cancellation|creation)\\.service|replay/settings-preview\\.(service|dto)|dto/.*)\\.ts$',
  '^src/webhooks/(webhooks\\.module|events/webhook-event|http/(webhooks|webhook-deliveries)\\.service|http/dto/.*)\\.ts$',
];

const mayImport = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: SPEC },
  to: { path: '^src/', pathNot: [from, ...allowed] },
});

/** Types of the engine are free to import; its functions only from the files named. */
const engineTypesOnly = (name, from, functions) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: SPEC },
  to: { path: '^src/engine/', pathNot: functions, dependencyTypesNot: ['type-only'] },
});

module.exports = {
  forbidden: [
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
    mayImport('outbox', '^src/outbox/', [DOMAIN, '^src/engine/', PLATFORM, HOST_REGISTRY, TRACES, GENERATED]),
    mayImport('tracing', '^src/tracing/', [PLATFORM, GENERATED]),
    {
      name: 'opentelemetry-is-loaded-by-one-file',
      comment: 'It is imported only where traces are on.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tracing/otlp-sender\\.ts$' },
      to: { path: '@opentelemetry/' },
    },
    engineTypesOnly('outbox-uses-types-keys-and-messages-of-the-engine', '^src/outbox/', [
      '^src/engine/(commands|states|vocabulary)\\.ts$',
      '^src/engine/messages/(comment-markers|testing-pull-request)\\.ts$',
    ]),
    mayImport('queue-processing', '^src/queue-processing/', [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      HOST_REGISTRY,
      OUTBOX_APPEND,
      '^src/outbox/(task-handover|task-outcomes|pull-request-view|queue-outcomes|taken-off-list)\\.ts$',
      WEBHOOK_EVENTS,
      '^src/shared/',
      GENERATED,
    ]),
    mayImport('user-requests', '^src/user-requests/', [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      HOST_REGISTRY,
      PROCESSING,
      '^src/shared/',
      GENERATED,
    ]),
    engineTypesOnly('user-requests-use-types-and-messages-of-the-engine', '^src/user-requests/', [
      '^src/engine/vocabulary\\.ts$',
      '^src/engine/messages/(comment-markers|command-answers)\\.ts$',
    ]),
    mayImport('inbox', '^src/inbox/', [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      HOST_REGISTRY,
      PROCESSING,
      '^src/user-requests/(user-event-router|user-requests\\.module)\\.ts$',
      OUTBOX_APPEND,
      '^src/outbox/hastened-landings\\.ts$',
      GENERATED,
    ]),
    engineTypesOnly('inbox-uses-types-and-markers-of-the-engine', '^src/inbox/', [
      '^src/engine/messages/comment-markers\\.ts$',
    ]),
    {
      name: 'nobody-imports-the-list-of-background-jobs',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/background/', '^src/app\\.module\\.ts$'] },
      to: { path: '^src/background/' },
    },
    mayImport('shared', '^src/shared/', [DOMAIN, '^src/engine/', PLATFORM, HOST_REGISTRY, GENERATED]),
    engineTypesOnly('shared-uses-types-of-the-engine', '^src/shared/', ['^src/engine/(vocabulary|states)\\.ts$']),
    mayImport('reading', READING, [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      PROCESSING,
      // It draws what a decision would see.
      '^src/queue-processing/(queue-lock|queue-view|store/snapshot-loader)\\.ts$',
      '^src/queue-processing/history/',
      '^src/shared/',
      GENERATED,
    ]),
    mayImport('features', FEATURES, [
      DOMAIN,
      '^src/engine/',
      PLATFORM,
      HOST_REGISTRY,
      PROCESSING,
      READING,
      WEBHOOK_EVENTS,
      '^src/shared/',
      GENERATED,
    ]),
    engineTypesOnly('features-use-types-and-explain-of-the-engine', FEATURES, [
      '^src/engine/(explain|settings-fit|vocabulary|states)\\.ts$',
      '^src/engine/replay/(anonymous|history-of-log|logged-decision|past-results|settings-comparison)\\.ts$',
    ]),
    {
      name: 'features-never-import-features',
      severity: 'error',
      from: { path: '^src/(pull-requests|queues|metrics|test-health|audit|attestations)/' },
      to: { path: FEATURES, pathNot: '^src/$1/' },
    },
    {
      name: 'rules-of-test-health-import-nothing-but-rules',
      comment: 'They are pure: no npm package, no database; of Node only the hash that makes the id of a test.',
      severity: 'error',
      from: { path: '^src/test-health/rules/', pathNot: SPEC },
      to: { pathNot: ['^src/test-health/rules/', '^(node:)?crypto$'] },
    },
    mayImport('report-readers-of-test-health-stands-alone', '^src/test-health/reports/', []),
    mayImport('storage-of-test-health-knows-no-http', '^src/test-health/storage/', [
      '^src/test-health/(rules|reports)/',
      // What it tells the queues, through their inbox.
      '^src/domain/host-event\\.ts$',
      WEBHOOK_EVENTS,
      PLATFORM,
      GENERATED,
    ]),
    {
      name: 'only-the-module-of-test-health-imports-its-http',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/test-health/(http/|test-health\\.module\\.ts$)'] },
      to: { path: '^src/test-health/http/', pathNot: READ_BY_PAGES },
    },
    mayImport('webhooks', '^src/webhooks/', [DOMAIN, '^src/engine/', PLATFORM, '^src/shared/', GENERATED]),
    engineTypesOnly('webhooks-use-types-of-the-engine', '^src/webhooks/', ['^src/engine/vocabulary\\.ts$']),
    mayImport('events-of-webhooks-know-nothing-of-sending', WEBHOOK_EVENTS, ['^src/engine/', PLATFORM, GENERATED]),
    mayImport('extensions', '^src/extensions/', [
      DOMAIN,
      '^src/engine/vocabulary\\.ts$',
      PLATFORM,
      '^src/shared/',
      '^src/pull-requests/(pull-requests\\.(module|service)|pull-request-reader|dto/.*)\\.ts$',
      '^src/queues/(queues\\.(module|service)|dto/.*)\\.ts$',
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
      '^src/shared/',
      '^src/reading/',
      ...READ_BY_PAGES,
    ]),
    engineTypesOnly('ui-uses-types-of-the-engine', '^src/ui/', []),
    {
      name: 'only-the-composition-root-imports-ui',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, '^src/ui/', '^src/(app\\.module|create-merge-queue|index)\\.ts$'] },
      to: { path: '^src/ui/' },
    },
    mayImport('cli-is-a-client', '^src/cli/', [
      PLATFORM,
      '^src/(check-start|create-merge-queue|run-merge-queue)\\.ts$',
      EXAMINE,
      KINDS_OF_HOSTS,
      APP_OF_GITHUB,
      PREPARATIONS,
      PREPARATION_WORDS,
      CHECK_MODES,
      QUEUE_SETTINGS,
      '^src/engine/vocabulary\\.ts$',
      // Proofs without a service, and the keys of statements.
      STATEMENTS,
      '^src/attestations/change-keys\\.ts$',
      '^src/code-hosts/git/proof/proof-repository\\.ts$',
      // Replays of a file, without a service.
      '^src/engine/(settings-fit|replay/.*)\\.ts$',
      '^src/domain/(freeze-windows|settings-preview)\\.ts$',
      '^src/test-health/reports/(recognise|without-secrets)\\.ts$',
      // What tries a server of somebody's own.
      '^src/certify/',
    ]),
    mayImport('certify-tries-adapters-as-they-are', '^src/certify/', [
      DOMAIN,
      PLATFORM,
      ADAPTERS,
      // The git of people, and the readers of answers.
      '^src/code-hosts/git/(git-command|git-config-file|git-hosts)\\.ts$',
      '^src/code-hosts/(reading|repository-identities|github/told-pushers|gitea/webhooks/delivered-events)\\.ts$',
      CONTRACT_OF_HOSTS,
    ]),
    {
      name: 'only-the-certify-command-certifies',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [SPEC, '^src/certify/', '^src/cli/certify-work\\.ts$', '^src/cli/commands/certify\\.ts$'],
      },
      to: { path: '^src/certify/' },
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
    mayImport('doctor', '^src/doctor/', [
      DOMAIN,
      PLATFORM,
      HOST_REGISTRY,
      KINDS_OF_HOSTS,
      CHECK_MODES,
      '^src/outbox/tasks/required-statuses\\.ts$',
      GENERATED,
    ]),
    {
      name: 'the-doctor-is-no-part-of-the-running-service',
      severity: 'error',
      from: { path: '^src/', pathNot: [SPEC, EXAMINE, '^src/doctor/'] },
      to: { path: '^src/doctor/' },
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
      from: { path: '^src/', pathNot: [SPEC, '^src/(testing|certify)/'] },
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
      from: { path: '(/dto/|\\.dto\\.ts$)' },
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
