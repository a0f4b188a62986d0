// node unprivileged-check.cjs <data directory> <on|unconfined> <command>… runs each command as a check of a service
// under the user of this process, and prints how each command ended.
require('../../prisma/engine/load-typescript.cjs');
const runner = '../../src/code-hosts/git/check-runner';
const { giveAway } = require(`${runner}/check-folder.ts`);
const { CheckLog, runCheck } = require(`${runner}/check-process.ts`);
const { chooseConfinement } = require('../../src/code-hosts/git/choose-confinement.ts');
const { clearAway, makeFolderFor, programFor } = require(`${runner}/confinement.ts`);
const { readConfig } = require('../../src/platform/config/read-config.ts');

const LIMITS = { milliseconds: 20_000, memoryMiB: 300, processes: 100, fileMiB: 2, outputMiB: 2 };

async function run(confinement, command) {
  // Without a user or namespaces of its own, a check shares the kernel's limit of processes with all processes of this
  // user.
  const limits = confinement.type === 'none' ? { ...LIMITS, processes: 4_096 } : LIMITS;
  const folder = await makeFolderFor(confinement);
  const log = new CheckLog();
  await giveAway(folder);
  const { signal } = new globalThis.AbortController();
  const end = await runCheck(
    { folder, program: programFor(confinement, folder, command, limits), limits, signal },
    log,
  );
  await clearAway(folder);
  return { ...end, log: log.toString() };
}

async function main() {
  const [dataDirectory, checkRunner, ...commands] = process.argv.slice(2);
  const mode = await chooseConfinement(
    readConfig({
      SLUICE_DATA_DIR: dataDirectory,
      SLUICE_CHECK_RUNNER: checkRunner,
      SLUICE_HOSTS: process.env.SLUICE_HOSTS,
    }),
  );
  const ends = [];
  if (mode.type === 'runs') for (const command of commands) ends.push(await run(mode.confinement, command));
  process.stdout.write(JSON.stringify({ mode, ends }));
}

void main();
