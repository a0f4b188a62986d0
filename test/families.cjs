// Families of spec files: jest runs each family as one file, so that its modules are loaded once. Each family has a
// file in test/families. A spec file belongs to the first family with a matching path prefix. Spec files without a
// family run alone.
const { readdirSync } = require('node:fs');
const { join, relative } = require('node:path');
const { WHOLE } = require('./long.cjs');

const ROOT = join(__dirname, '..');

const e2e = (...names) => names.map((name) => `test/e2e/${name}`);
const integration = (...names) => names.map((name) => `test/integration/${name}`);
const contract = (...names) => names.map((name) => `test/contract/${name}`);

/** The spec files that take longest have no family, because the other spec files of a family would wait for them. */
const ALONE = [...contract('git.', 'github.'), ...e2e('demo.', 'kill.')];

/** For each family, the beginnings of the paths of its spec files. */
const FAMILIES = {
  'unit-engine': ['src/engine/', 'src/processing/replay/'],
  'unit-test-health': ['src/modules/test-health/'],
  'unit-code-hosts': ['src/code-hosts/'],
  'unit-cli': ['src/cli/'],
  'unit-platform': ['src/platform/'],
  'unit-rest': ['src/'],
  'integration-checks': integration('attack-8', 'check-runner', 'orphaned-checks'),
  'integration-database': integration('sql.', 'platform-', 'restored-', 'tables', 'two-instances', 'claims-', 'migrat'),
  'integration-statements': integration('plans-', 'prepared-', 'statements-', 'queue-processing-', 'github-events'),
  'integration-history': integration('history-', 'retention', 'queue-history', 'queue-pictures-of', 'forecasts'),
  'integration-outbox': integration(
    'test-',
    'testing-',
    'which-test',
    'failure-',
    'flaky-',
    'lists-while',
    'outbox',
    'handing-',
    'partial-',
    'late-',
    'backlog',
    'poison',
    'inbox',
    'background-',
  ),
  'integration-rest': integration(''),
  'contract-git': contract('git-', 'poison', 'changed-files', 'skip-words'),
  'contract-rest': contract(''),
  'e2e-start': e2e('clocks', 'database-starts', 'failed-start', 'processes', 'start-'),
  'e2e-start-and-stop': e2e('listen-address', 'stop'),
  'e2e-access': e2e(
    'at-once',
    'attack-',
    'audit',
    'calling-',
    'connection',
    'every-',
    'failed-attempts',
    'token-',
    'sign-in',
  ),
  'e2e-bodies': e2e(
    'huge-',
    'stalled-',
    'overload',
    'full-disk',
    'pgbouncer',
    'service-downtime',
    'webhook-bodies',
    'reverse-proxy',
  ),
  'e2e-batches': e2e(
    'batching-',
    'branch-',
    'computed-',
    'configuration-',
    'convicting-',
    'first-bad',
    'flow',
    'impacted-',
  ),
  'e2e-commands': e2e('cli', 'mcp', 'clients', 'doctor', 'cookbook', 'queue-commands', 'init', 'sample'),
  'e2e-extensions': e2e(
    'extension',
    'documentation-',
    'metrics',
    'service-',
    'test-metrics',
    'traces',
    'state',
    'forks',
    'replay',
    'webhooks',
  ),
  'e2e-tests': e2e('failed-tests', 'forgiven-', 'quarantine', 'suspect-', 'lost-', 'test', 'uploads'),
  'e2e-forges': e2e('forge-', 'gitea', 'gitlab'),
  'e2e-github-rules': e2e('github-conflicts', 'github-demands', 'github-pinned', 'github-renamed', 'github-turned'),
  'e2e-github': e2e('github'),
  'e2e-pages': e2e('page-', 'owner-'),
  'e2e-queues': e2e('pull-request', 'queue'),
  'e2e-rest': e2e(''),
  'scenarios-service': ['test/scenarios/service-'],
  openapi: ['test/openapi/'],
};

function specsBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return specsBelow(path);
    return path.endsWith('.spec.ts') && !WHOLE.includes(path) ? [path] : [];
  });
}

function familyOf(spec) {
  if (ALONE.some((beginning) => spec.startsWith(beginning))) return undefined;
  return Object.keys(FAMILIES).find((name) => FAMILIES[name].some((beginning) => spec.startsWith(beginning)));
}

/** Paths of a family's spec files, relative to the project root. */
function membersOf(family) {
  const folders = ['src', ...['contract', 'e2e', 'integration', 'openapi', 'scenarios'].map((name) => `test/${name}`)];
  return folders
    .flatMap(specsBelow)
    .filter((spec) => familyOf(spec) === family)
    .sort();
}

/** The family of a file in test/families; undefined for another file. */
function familyIn(path) {
  return /^test\/families\/(.+)\.family\.ts$/.exec(relative(ROOT, path))?.[1];
}

module.exports = { FAMILIES, familyIn, familyOf, membersOf };
