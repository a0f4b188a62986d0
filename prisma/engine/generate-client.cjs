// Runs after `npm ci`, as npm's `prepare`: generates the Prisma client into src/generated, so that tests, build and
// start need no further command. npm does not run `prepare` for an installed package, whose dist already contains the
// client. The script does nothing on an install without development dependencies, which has no Prisma CLI.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

function prismaCli() {
  try {
    return require.resolve('prisma/build/index.js');
  } catch {
    return undefined;
  }
}

const cli = prismaCli();
if (cli === undefined) process.exit(0);
console.error('Generating the Prisma client …');
const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
  cwd: join(__dirname, '..', '..'),
  encoding: 'utf8',
});
if (status !== 0) {
  console.error(`${stdout}${stderr}`);
  process.exit(1);
}
