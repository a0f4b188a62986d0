import { resolve } from 'node:path';
import { defineConfig } from 'prisma/config';

// Prisma's command line needs a native schema engine, which is in no npm package, so Prisma would download it. The shim
// answers with the same engine compiled to WASM. A native engine that the user names takes precedence; Windows needs a
// native engine.
if (process.platform !== 'win32') {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= resolve('prisma/engine/schema-engine.mjs');
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // `prisma generate` needs no database, but the configuration needs a well-formed URL.
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/none' },
});
