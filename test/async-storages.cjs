// On Node before 24, every AsyncLocalStorage that was used makes each promise of the process slower until it is disabled: 100 of them a
// hundred times. Each test file loads its modules again, and they make new ones. So those that earlier files of this worker used are disabled.
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
// Replaced for each file: a function of an earlier file would keep all of that file's modules in memory.
prototype[KEY] = { originals, used };
for (const name of ENTRIES) {
  prototype[name] = function (...parameters) {
    used.add(this);
    return originals[name].apply(this, parameters);
  };
}
