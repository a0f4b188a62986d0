// node prisma/engine/with-database.cjs <command...>: runs a command with DATABASE_URL set to a throw-away embedded
// PostgreSQL. `prisma migrate dev` and `migrate diff --from-migrations` need a live server for their shadow database.
const { spawnSync } = require('node:child_process');
const { chmodSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
require('./load-typescript.cjs');

async function main() {
  if (process.env.DATABASE_URL) return run(process.env.DATABASE_URL);
  const { startEmbeddedPostgres } = require('../../src/platform/database/embedded/embedded-postgres.ts');
  const root = mkdtempSync(join(tmpdir(), 'sluice-database-'));
  chmodSync(root, 0o755); // root runs the server as another user, who must reach the folder
  const server = await startEmbeddedPostgres({
    dataDirectory: join(root, 'postgres'),
    database: 'sluice',
    durability: 'none',
  });
  try {
    return run(server.url);
  } finally {
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

function run(url) {
  const [command, ...args] = process.argv.slice(2);
  const env = { ...process.env, DATABASE_URL: url };
  return spawnSync('npx', ['--no-install', command, ...args], { stdio: 'inherit', env }).status ?? 1;
}

main().then(
  (status) => process.exit(status),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
