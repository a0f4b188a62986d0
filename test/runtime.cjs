// The modules of an environment that is kept: loaded once, and used by every spec file.
const Runtime = require('jest-runtime').default;

/** It makes the state of a file as it is loaded. */
const OF_CIRCUS = /[\\/]jest-circus[\\/]/;

/** It counts for the process, from zero. */
const METRICS = require.resolve('prom-client');

const kept = new WeakMap();

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

  teardown() {
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
