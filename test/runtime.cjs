// The modules of an environment that is kept: loaded once, and used by every spec file.
const asyncHooks = require('node:async_hooks');
const Runtime = require('jest-runtime').default;

/** It makes the state of a file as it is loaded. */
const OF_CIRCUS = /[\\/]jest-circus[\\/]/;

/** It counts for the process, from zero. */
const METRICS = require.resolve('prom-client');

const kept = new WeakMap();

/** Of the file that runs. Each that stays in use makes every promise of the worker cost more. */
const storages = new Set();

class StorageOfOneFile extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    storages.add(this);
  }
}

// A plain assignment throws on Node 22 and later: the property is a getter there.
const setAsyncLocalStorage = (value) =>
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value, configurable: true, enumerable: true });

module.exports = class KeptRuntime extends Runtime {
  constructor(config, environment, ...others) {
    const testPath = others[4];
    const ofOneFile = [testPath, ...config.setupFiles, ...config.setupFilesAfterEnv];
    if (kept.has(environment)) return Object.assign(kept.get(environment), { ofOneFile });
    super(config, environment, ...others);
    this.ofOneFile = ofOneFile;
    this.isKept = environment.isKept;
    if (this.isKept) kept.set(environment, this);
  }

  requireInternalModule(from, ...others) {
    if (!OF_CIRCUS.test(from)) return super.requireInternalModule(from, ...others);
    const { AsyncLocalStorage } = asyncHooks;
    setAsyncLocalStorage(StorageOfOneFile);
    try {
      return super.requireInternalModule(from, ...others);
    } finally {
      setAsyncLocalStorage(AsyncLocalStorage);
    }
  }

  teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    if (!this.isKept) return super.teardown();
    this.restoreAllMocks();
    const modules = this.registries.getActiveCjsRegistry();
    modules.get(METRICS)?.exports.register.resetMetrics();
    for (const path of this.ofOneFile) modules.delete(path);
    const framework = this.registries.getInternalCjsRegistry();
    for (const path of framework.keys()) if (OF_CIRCUS.test(path)) framework.delete(path);
    this.testState.state = 'loading';
  }
};
