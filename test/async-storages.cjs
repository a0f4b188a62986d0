// On Node before 24, every used AsyncLocalStorage slows each promise of the process until the storage is disabled: 100
// storages make a promise a hundred times slower. Each test file loads its modules again, and these modules make new
// storages. So this file disables the storages of earlier test files in this worker.
const { AsyncLocalStorage } = require('node:async_hooks');

const KEY = Symbol.for('sluice.test.storages');
const ENTRIES = ['run', 'enterWith'];
const { prototype } = AsyncLocalStorage;

const { originals, used: usedBefore } = prototype[KEY] ?? {
  originals: Object.fromEntries(ENTRIES.map((name) => [name, prototype[name]])),
  used: [],
};
for (const storage of usedBefore) storage.disable();

const used = new Set();
// The prototype's methods are replaced for each file: a function of an earlier file would keep all modules of that file
// in memory.
prototype[KEY] = { originals, used };
for (const name of ENTRIES) {
  prototype[name] = function (...parameters) {
    used.add(this);
    return originals[name].apply(this, parameters);
  };
}
