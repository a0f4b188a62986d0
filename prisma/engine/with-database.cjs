// node prisma/engine/with-database.cjs <command...>: runs a command with DATABASE_URL set to a temporary embedded
// PostgreSQL. `prisma migrate diff --from-migrations` needs a running server for its shadow database.
const { spawnSync } = require('node:child_process');
require('./load-typescript.cjs');
const { withServer } = require('../commands/throw-away-server.ts');

function run(url) {
  const [command, ...args] = process.argv.slice(2);
  const env = { ...process.env, DATABASE_URL: url };
  return spawnSync('npx', ['--no-install', command, ...args], { stdio: 'inherit', env }).status ?? 1;
}

withServer((url) => Promise.resolve(run(url))).then(
  (status) => process.exit(status),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
