const { existsSync, readFileSync } = require('node:fs');
const { availableParallelism, totalmem } = require('node:os');
const { join } = require('node:path');
const { REPEATED, WHOLE } = require('./test/long.cjs');

// Nest 12 ships ES modules only, and jest on Node < 24.9 cannot require() them: SWC turns them into CommonJS as well.
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

/** Two more than cores: suites wait for git, PostgreSQL and time-outs. */
const WORKERS = availableParallelism() + 2;
const GIB = 1024 ** 3;
/** A worker that begins anew loads all modules again. 0.7 GiB of this is modules, the rest what is not collected yet. */
const MOST_BYTES_OF_WORKER = Math.max(1.5 * GIB, Math.min(3 * GIB, totalmem() / 2 / WORKERS));

/** What is CommonJS already is left alone: jest would store each file of it once more, and read that instead. */
function packagesOfModules() {
  const { packages } = require('./node_modules/.package-lock.json');
  const isModule = (folder) => {
    const file = join(__dirname, folder, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).type === 'module';
  };
  const folders = Object.keys(packages).filter(isModule);
  const names = folders.map((folder) => folder.replace(/^node_modules\//, ''));
  // CommonJS with import(), which jest does not know there.
  return [...names, '@opentelemetry/otlp-exporter-base'];
}

/** jest puts the folder of the project into patterns as it is: a folder named `c++` would be no valid pattern. */
const ROOT_PATTERN = __dirname.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** None that fake timers replace, and none that a package declares again at the top of a file. */
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
  // jest puts a proxy before the global object, so that each use of a global takes a hundred times as long.
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

/** Further repetitions of what the other projects test. */
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
  // A test that hangs fails all the same; one that starts git a thousand times takes half a minute on a machine that is busy.
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
