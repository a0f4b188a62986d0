// After `npm ci`: generates the Prisma client into src/generated, so that tests, build and start work at once.
// An install without the development dependencies has no Prisma CLI and needs none: its client is in dist already.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');

function prismaCli() {
  try {
    return require.resolve('prisma/build/index.js');
  } catch {
    return undefined;
  }
}

const cli = prismaCli();
if (cli === undefined || !existsSync(join(root, 'prisma', 'schema.prisma'))) process.exit(0);
const { status } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
