const { existsSync, readFileSync } = require('node:fs');
const { availableParallelism, totalmem } = require('node:os');
const { join } = require('node:path');
const { REPEATED, WHOLE } = require('./test/long.cjs');

// Nest 12 ships only ES modules, and jest on Node < 24.9 cannot require() them: SWC also turns Nest's modules into
// CommonJS.
const typescript = [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2022',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  },
];

/** Two more workers than cores, because suites wait for git, PostgreSQL and timeouts. */
const WORKERS = availableParallelism() + 2;
const GIB = 1024 ** 3;
/**
 * The memory after which jest restarts a worker. A restarted worker loads all modules again. Modules take 0.7 GiB of
 * this memory; the rest is uncollected garbage.
 */
const MOST_BYTES_OF_WORKER = Math.max(1.5 * GIB, Math.min(3 * GIB, totalmem() / 2 / WORKERS));

/** CommonJS files stay unchanged: otherwise jest would store a copy of each file and read the copy. */
function packagesOfModules() {
  const { packages } = require('./node_modules/.package-lock.json');
  const isModule = (folder) => {
    const file = join(__dirname, folder, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).type === 'module';
  };
  const folders = Object.keys(packages).filter(isModule);
  const names = folders.map((folder) => folder.replace(/^node_modules\//, ''));
  // This package is CommonJS with import(), which jest does not support in unchanged files.
  return [...names, '@opentelemetry/otlp-exporter-base'];
}

/** jest puts the project folder into patterns unescaped: a folder named `c++` would make an invalid pattern. */
const ROOT_PATTERN = __dirname.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Globals that tests use often, without globals that fake timers replace or that a package redeclares at the top of a
 * file.
 */
const HOT_GLOBALS = [
  'Promise',
  'Math',
  'Object',
  'Array',
  'Map',
  'Set',
  'WeakMap',
  'JSON',
  'Number',
  'String',
  'Symbol',
  'Error',
  'RegExp',
];

const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  // jest puts a proxy before the global object, which makes each use of a global a hundred times slower.
  sandboxInjectedGlobals: HOT_GLOBALS,
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'json', 'ts'],
  modulePathIgnorePatterns: [`^${ROOT_PATTERN}/dist/`],
  transform: {
    '^.+\\.ts$': typescript,
    '/node_modules/.+\\.m?js$': '<rootDir>/test/esm-transform.cjs',
  },
  transformIgnorePatterns: [`^${ROOT_PATTERN}/node_modules/(?!(?:${packagesOfModules().join('|')})/)(?!.*\\.mjs$)`],
  resolver: '<rootDir>/test/resolver.cjs',
  setupFiles: ['<rootDir>/test/async-storages.cjs'],
};

const withoutDatabase = (displayName, ...testMatch) => ({
  ...common,
  displayName,
  testMatch: [`test/families/${displayName}{,-*}.family.ts`, ...testMatch].map((pattern) => `<rootDir>/${pattern}`),
  testPathIgnorePatterns: ['/node_modules/', ...WHOLE.map((path) => `^${ROOT_PATTERN}/${path}$`)],
});

const withDatabase = (displayName, ...alsoMatch) => ({
  ...withoutDatabase(displayName, `test/${displayName}/**/*.spec.ts`, ...alsoMatch),
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
  setupFiles: [...common.setupFiles, '<rootDir>/test/setup-env.cjs'],
});

/** Tests of the other projects with more repetitions. */
const longRun = {
  ...withDatabase('long'),
  testMatch: [...WHOLE, ...REPEATED].map((path) => `<rootDir>/${path}`),
  testPathIgnorePatterns: ['/node_modules/'],
  globals: { isLongRun: true },
};

module.exports = {
  filter: '<rootDir>/test/choose-families.cjs',
  testSequencer: '<rootDir>/test/sequencer.cjs',
  maxWorkers: WORKERS,
  workerIdleMemoryLimit: MOST_BYTES_OF_WORKER,
  // A hanging test still fails. A test that starts git a thousand times takes half a minute on a busy machine.
  testTimeout: 120_000,
  projects: [
    withoutDatabase('unit', 'src/**/*.spec.ts', 'test/{attack-table,mutation,packaging,support}/**/*.spec.ts'),
    withoutDatabase('simulation', 'test/simulation/**/*.spec.ts', 'test/scenarios/{engine,invariants,rows}.spec.ts'),
    withoutDatabase('docs', 'test/docs/**/*.spec.ts'),
    withDatabase('integration'),
    withDatabase('contract'),
    withDatabase('e2e', 'test/scenarios/service*.spec.ts', 'test/families/scenarios-*.family.ts'),
    withDatabase('openapi'),
    longRun,
  ],
};
