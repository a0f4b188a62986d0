// node embedded-launcher.cjs <data directory>: runs an embedded PostgreSQL until it is killed.
require('../../prisma/engine/load-typescript.cjs');
const { startEmbeddedPostgres } = require('../../src/platform/embedded-postgres/embedded-postgres.ts');

startEmbeddedPostgres({ dataDirectory: process.argv[2], database: 'sluice' }).then(({ url, pid }) =>
  console.log(JSON.stringify({ url, serverPid: pid })),
);
