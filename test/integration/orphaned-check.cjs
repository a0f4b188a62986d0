// node orphaned-check.cjs <command>: runs it as the check runner does, as the service's own user, and says where.
require('../../prisma/engine/load-typescript.cjs');
const { makeCheckFolder, rememberProcess } = require('../../src/code-hosts/git/check-runner/check-folder.ts');
const { CheckLog, runCheck } = require('../../src/code-hosts/git/check-runner/check-process.ts');

async function main() {
  const { root, checkout: folder } = await makeCheckFolder(null);
  const onStart = (pid) => {
    rememberProcess(root, pid);
    process.stdout.write(`${root} ${pid}\n`);
  };
  const env = { PATH: process.env.PATH };
  const { signal } = new globalThis.AbortController();
  await runCheck(
    { command: process.argv[2], folder, env, user: null, limitMs: 600_000, signal, onStart },
    new CheckLog(),
  );
}

void main();
