// node orphaned-check.cjs <own users|none> <command> runs the command like the check runner, and prints its folder.
require('../../prisma/engine/load-typescript.cjs');
const runner = '../../src/code-hosts/git/check-runner';
const { giveAway, rememberProcess } = require(`${runner}/check-folder.ts`);
const { CheckLog, runCheck } = require(`${runner}/check-process.ts`);
const { makeFolderFor, programFor } = require(`${runner}/confinement.ts`);
const { USER_RANGES } = require(`${runner}/user-ranges.ts`);

const limits = { milliseconds: 600_000, memoryMiB: 1_024, processes: 100_000, fileMiB: 100, outputMiB: 10 };

async function main() {
  const [type, command] = process.argv.slice(2);
  const confinement = { type, range: USER_RANGES[0] };
  const folder = await makeFolderFor(confinement);
  await giveAway(folder);
  const onStart = (pid) => {
    rememberProcess(folder.root, pid);
    process.stdout.write(`${folder.root} ${pid}\n`);
  };
  const { signal } = new globalThis.AbortController();
  const program = programFor(confinement, folder, command, limits);
  await runCheck({ folder, program, limits, signal, onStart }, new CheckLog());
}

void main();
