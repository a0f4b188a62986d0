#!/usr/bin/env node
// Replaces Prisma's native `schema-engine`, which the prisma CLI otherwise downloads, because no npm package contains
// it. The script speaks the CLI's JSON-RPC on stdin and stdout, one message per line. It answers with the same engine
// compiled to WASM (@prisma/schema-engine-wasm, from the same commit as the CLI's engines) over @prisma/adapter-pg. It
// supports PostgreSQL only.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as bg from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const engineDir = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
const opt = { datamodels: [], datasource: {}, cli: undefined };
for (let argv = process.argv.slice(2); argv.length;) {
  const a = argv.shift();
  if (a === '--datamodels') opt.datamodels.push(argv.shift());
  else if (a === '--datasource') opt.datasource = JSON.parse(argv.shift());
  else if (a === '--enabled-preview-features' || a === '--extension-types') argv.shift();
  else if (a === 'cli') opt.cli = argv.shift();
  else if (a === '--version') {
    console.log(
      'schema-engine-cli ' +
        JSON.parse(readFileSync(join(engineDir, 'package.json'), 'utf8'))
          .version.split('.')
          .pop(),
    );
    process.exit(0);
  }
}
const url = opt.datasource.url ?? 'postgresql://127.0.0.1:1/none';
const target = new URL(url);
const schema = target.searchParams.get('schema') ?? undefined;
const quote = (s) => '"' + s.replaceAll('"', '""') + '"';
const withDb = (db) => Object.assign(new URL(url), { pathname: '/' + db, search: '' }).href;

async function once(connectionString, sql) {
  const c = new pg.Client({ connectionString });
  await c.connect();
  try {
    if (sql) await c.query(sql);
  } finally {
    await c.end();
  }
}

/** schema-engine cli can-connect-to-database | create-database | drop-database */
async function cli(command) {
  const db = decodeURIComponent(target.pathname.slice(1));
  const where = `${target.hostname}:${target.port || 5432}`;
  process.stderr.write('{}\n'); // the CLI drops the first line of standard error
  try {
    if (command === 'can-connect-to-database') await once(url);
    else if (command === 'create-database') await once(withDb('postgres'), `CREATE DATABASE ${quote(db)}`);
    else if (command === 'drop-database') await once(withDb('postgres'), `DROP DATABASE IF EXISTS ${quote(db)}`);
    else throw new Error(`unknown command ${command}`);
    process.exit(0);
  } catch (e) {
    const known = {
      '3D000': ['P1003', `Database \`${db}\` does not exist on the database server at \`${where}\`.`],
      '28P01': ['P1000', `Authentication failed against database server at \`${where}\`.`],
      '42P04': ['P1009', `Database \`${db}\` already exists on the database server at \`${where}\``],
      ECONNREFUSED: ['P1001', `Can't reach database server at \`${where}\``],
      ENOTFOUND: ['P1001', `Can't reach database server at \`${where}\``],
    };
    const [error_code, message] = known[e.code] ?? ['P1011', String(e.message ?? e)];
    process.stderr.write(
      JSON.stringify({
        level: 'ERROR',
        target: 'schema_engine::logger',
        fields: { is_panic: false, error_code, message },
      }) + '\n',
    );
    process.exit(1);
  }
}

// adapter-pg cannot read columns of the type "char" (oid 18), such as pg_constraint.contype.
const CHAR = 18;
const pools = new Set();
function readChars(queryable, client) {
  if (!client.charColumns) {
    client.charColumns = [];
    const run = client.query.bind(client);
    client.query = async (...a) => {
      const r = await run(...a);
      client.charColumns = Array.isArray(r)
        ? []
        : (r.fields ?? []).flatMap((f, i) => (f.dataTypeID === CHAR ? [i] : []));
      // The id of a user-defined type: adapter-pg reads values of such types as text.
      for (const i of client.charColumns) r.fields[i].dataTypeID = 1_000_018;
      return r;
    };
  }
  const queryRaw = queryable.queryRaw.bind(queryable);
  queryable.queryRaw = async (q) => {
    const r = await queryRaw(q);
    for (const i of client.charColumns) r.columnTypes[i] = ColumnTypeEnum.Character;
    return r;
  };
}
async function connect(connectionString, dispose) {
  const pool = new pg.Pool({ connectionString, max: 1, options: '-c TimeZone=UTC' });
  pools.add(pool);
  const script = pool.query.bind(pool);
  const adapter = await new PrismaPg(pool, schema ? { schema } : undefined).connect();
  readChars(adapter, pool);
  // pg sends the script as a whole: adapter-pg would split it at every ';', also inside functions.
  adapter.executeScript = (sql) =>
    script(sql).then(
      () => undefined,
      (e) => adapter.onError(e),
    ); // the engine expects no result
  const begin = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (level) => {
    const tx = await begin(level);
    readChars(tx, tx.client);
    return tx;
  };
  adapter.dispose = async () => {
    if (pools.delete(pool)) await pool.end();
    await dispose?.();
  };
  return adapter;
}
const factory = () =>
  bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(url),
    async connectToShadowDb() {
      if (opt.datasource.shadowDatabaseUrl) return connect(opt.datasource.shadowDatabaseUrl);
      const name = `prisma_migrate_shadow_db_${randomUUID()}`;
      await once(withDb('postgres'), `CREATE DATABASE ${quote(name)}`);
      return connect(withDb(name), () =>
        once(withDb('postgres'), `DROP DATABASE IF EXISTS ${quote(name)} WITH (FORCE)`),
      );
    },
  });

if (opt.cli) await cli(opt.cli);

let panic;
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message: (m) => {
    panic = m;
  },
};
process.on('uncaughtException', (e) => {
  process.stderr.write(
    JSON.stringify({
      level: 'ERROR',
      target: 'schema_engine',
      fields: { message: panic ?? e.message, backtrace: e.stack },
    }) + '\n',
    () => process.exit(101),
  );
});
const { instance } = await WebAssembly.instantiate(readFileSync(join(engineDir, 'schema_engine_bg.wasm')), {
  './schema_engine_bg.js': bg,
});
bg.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const files = opt.datamodels.map((f) => [f, readFileSync(f, 'utf8')]);
// `migrate diff` passes no files.
if (!files.length) files.push(['none.prisma', 'datasource db {\n  provider = "postgresql"\n}\n']);

const answers = new Map();
let printed = 0;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const print = (content) =>
  new Promise((done) => {
    const id = ++printed;
    answers.set(id, done);
    send({ id, method: 'print', params: { content } });
  });

async function handle({ id, method, params }) {
  try {
    // Each request gets a fresh engine. evaluateDataLoss and createMigration open a shadow database in a way that the
    // WASM build lacks, unless the engine has already cached the schema of the migrations. devDiagnostic caches it.
    const engine = await bg.SchemaEngine.new({ datamodels: files }, () => {}, factory());
    const name = method === 'getDatabaseVersion' ? 'version' : method;
    if (typeof engine[name] !== 'function') throw new Error(`the WASM schema engine has no ${method}`);
    if (name === 'evaluateDataLoss' || name === 'createMigration')
      await engine.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
    let result = await engine[name](params ?? null);
    if (method === 'diff' && result?.stdout != null) {
      await print(result.stdout);
      result = { ...result, stdout: null };
    }
    send({ id, result: result ?? {} });
  } catch (e) {
    const data = {
      is_panic: false,
      message: panic ?? e?.message ?? String(e),
      error_code: e?.code ?? e?.error_code,
      meta: e?.meta ?? null,
    };
    send({ id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data } });
  } finally {
    for (const pool of pools) await pool.end().catch(() => {}); // the end of the pool also releases the migration lock
    pools.clear();
  }
}
let chain = Promise.resolve();
createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (line) => {
    if (!line.trim()) return;
    const message = JSON.parse(line);
    if (message.method === undefined) {
      answers.get(message.id)?.();
      answers.delete(message.id);
    } else chain = chain.then(() => handle(message));
  })
  .on('close', () => chain.then(() => process.exit(0)));
