// All spec files of a worker that are set up alike have one environment, so that the modules of the first serve the others.
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** What the test framework leaves on the global object: the tests of a file, and who listens to them. */
const OF_ONE_FILE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

const kept = new Map();

module.exports = class KeptEnvironment extends TestEnvironment {
  constructor(config, context) {
    const { globalConfig, projectConfig } = config;
    // Between two runs of one process files change.
    const isWatching = globalConfig.watch || globalConfig.watchAll;
    const key = projectConfig.setupFiles.join();
    if (kept.has(key)) return kept.get(key);
    // With the proxy that jest puts before the global object, each use of `Promise` or `Map` takes a hundred times as long.
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    const { process } = this.global;
    this.before = { exit: process.exit, variables: { ...process.env } };
    this.isKept = !isWatching;
    if (this.isKept) kept.set(key, this);
  }

  async teardown() {
    if (!this.isKept) return super.teardown();
    this.fakeTimersModern.useRealTimers();
    const { process } = this.global;
    process.exit = this.before.exit;
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.before.variables);
    for (const symbol of Object.getOwnPropertySymbols(this.global)) {
      if (OF_ONE_FILE.includes(symbol.description)) delete this.global[symbol];
    }
  }
};
