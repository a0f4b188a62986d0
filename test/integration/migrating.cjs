// node migrating.cjs <database URL> <folder of migrations> applies the migrations in its own process.
require('../../prisma/engine/load-typescript.cjs');
const { applyMigrations } = require('../../src/platform/migrations/migrations.ts');

void applyMigrations(process.argv[2], process.argv[3]);
