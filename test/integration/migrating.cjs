// node migrating.cjs <address of the database> <folder of migrations>: applies them in a process of its own.
require('../../prisma/engine/load-typescript.cjs');
const { applyMigrations } = require('../../src/platform/migrations/migrations.ts');

void applyMigrations(process.argv[2], process.argv[3]);
