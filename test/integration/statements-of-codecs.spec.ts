import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { compileFunction } from 'node:vm';
import * as ts from 'typescript';
import { upsertion } from '../../src/platform/database/bulk';
import { lockQueue } from '../../src/processing/decisions/queue-lock';
import * as entryCodec from '../../src/processing/decisions/store/codecs/entry.codec';
import { LANDED } from '../../src/processing/decisions/store/codecs/landed-change.codec';
import { LOG } from '../../src/processing/decisions/store/codecs/log.codec';
import { MEMBERS } from '../../src/processing/decisions/store/codecs/member.codec';
import { QUEUES } from '../../src/processing/decisions/store/codecs/queue.codec';
import { RUNS } from '../../src/processing/decisions/store/codecs/run.codec';
import { SEARCHES } from '../../src/processing/decisions/store/codecs/search.codec';
import { readEntriesOf } from '../../src/processing/decisions/store/read-entries';
import { World } from '../support/world';

const TABLES = [entryCodec.ENTRIES, RUNS, MEMBERS, QUEUES, LOG, SEARCHES, LANDED];
/** Columns that have their own expression, or that are written when a queue is created. */
const OTHERS = ['Entry.pullRequestId', 'Queue.repositoryId', 'Queue.branch', 'Queue.createdAt', 'Queue.settings'];
const TYPES: Readonly<Record<string, string>> = { int4: 'int', int8: 'bigint', bool: 'boolean', _text: 'text[]' };

const ROOT = join(__dirname, '../..');
const CODEC = 'src/processing/decisions/store/codecs/entry.codec.ts';
/** The files that use the codec directly. */
const ENTRANCES = ['save-decision.ts', 'snapshot-loader.ts'].map((file) => `src/processing/decisions/store/${file}`);
/** Prisma writes this file from the schema. */
const GENERATED = 'src/generated/prisma/models/Entry.ts';

type NewLines = readonly (readonly [line: string, before: string])[];

/** The lines that a person adds for a new field `note`, by the changed file. */
const NEW_FIELD: Readonly<Record<string, NewLines>> = {
  'prisma/schema.prisma': [['  note String?', '  standing            String?']],
  'src/engine/model.ts': [['  readonly note?: string;', '  readonly pullRequest: PullRequestFacts;']],
  [CODEC]: [
    ["    note: 'text',", "    standing: 'text',"],
    ['    note: entry.note ?? null,', '    standing: isOutsideFlow(entry)'],
    ['    note: row.note ?? undefined,', '    pullRequest: decodePullRequest(row),'],
  ],
};
const OF_PRISMA: NewLines = [['    note: string | null', '    standing: string | null']];

describe('the codecs of the seven tables that decisions write', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
  });
  afterAll(() => world.close());

  it.each(TABLES)('name every column of $name with its SQL type', async ({ name, columns }) => {
    const found = await world.prisma.$queryRaw<{ column: string; type: string }[]>`
      SELECT column_name AS "column", udt_name AS "type" FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ${name}`;
    const stored = found.filter(({ column }) => !OTHERS.includes(`${name}.${column}`));
    expect(columns).toEqual(Object.fromEntries(stored.map(({ column, type }) => [column, TYPES[type] ?? type])));
  });

  it('store and load a new field once schema, type and codec have it', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    world.memory.openPullRequest(1);
    await world.submit(1);
    const { id } = await world.prisma.queue.findFirstOrThrow();
    const { ENTRIES, decodeEntry, encodeEntry, pullRequestIdOf } = compiledCopy();
    let loaded: unknown;
    const tried = world.sql.transaction(async (tx) => {
      await tx.execute`ALTER TABLE "Entry" ADD COLUMN "note" text`;
      const { row } = (await lockQueue(tx, id))!;
      const read = async () => {
        const { entries } = await readEntriesOf(tx, row, { ids: [], numbers: [1], now: world.clock.now() });
        return decodeEntry(entries[0]!);
      };
      const changed = { ...(await read()), note: 'seen' };
      const rows = [encodeEntry(id, changed)];
      for (const write of upsertion(ENTRIES, ['id'], rows, pullRequestIdOf(row.repositoryId))) await tx.execute(write);
      loaded = await read();
      throw new Error('The new column goes again.');
    });
    await expect(tried).rejects.toThrow('The new column goes again.');
    expect(loaded).toMatchObject({ number: 1, note: 'seen' });
  });
});

describe('a new field of an entry', () => {
  const files = Object.keys(NEW_FIELD);

  it('changes three files: the other files of the engine and of the store compile without a change', () => {
    expect(files).toHaveLength(3);
    const program = compiled(files);
    const ofProduct = program.getSourceFiles().filter(({ fileName }) => isOfProduct(fileName));
    expect(ofProduct.length).toBeGreaterThan(50);
    expect(ofProduct.flatMap((file) => problemsIn(program, file))).toEqual([]);
  }, 120_000);

  it.each(files)(
    'does not compile if only %s is left unchanged',
    (forgotten) => {
      const program = compiled(files.filter((file) => file !== forgotten));
      const codec = program.getSourceFile(join(ROOT, CODEC))!;
      expect(problemsIn(program, codec)).not.toEqual([]);
    },
    120_000,
  );
});

/** The text of the file with the lines of the new field. */
function changedFile(file: string, lines: NewLines): string {
  return lines.reduce(
    (text, [line, before]) => {
      const parts = text.split(`\n${before}`);
      if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} lines that begin with ${before}`);
      return parts.join(`\n${line}\n${before}`);
    },
    readFileSync(join(ROOT, file), 'utf8'),
  );
}

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Compiles the store and all modules that it imports, with the new field in these files. */
function compiled(files: readonly string[]): ts.Program {
  const changes = new Map(files.map((file) => [join(ROOT, file), changedFile(file, NEW_FIELD[file]!)]));
  if (files.includes('prisma/schema.prisma')) changes.set(join(ROOT, GENERATED), changedFile(GENERATED, OF_PRISMA));
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: ENTRANCES, include: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const fromDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) => {
    const text = changes.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, version);
    if (!parsed.has(name)) parsed.set(name, fromDisk(name, version));
    return parsed.get(name);
  };
  return ts.createProgram(
    ENTRANCES.map((file) => join(ROOT, file)),
    options,
    host,
  );
}

function isOfProduct(file: string): boolean {
  return file.startsWith(join(ROOT, 'src/')) && !file.includes('/generated/');
}

function problemsIn(program: ts.Program, file: ts.SourceFile): string[] {
  return program
    .getSemanticDiagnostics(file)
    .map(
      ({ messageText }) => `${relative(ROOT, file.fileName)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

/** The codec with the new field. All other modules are the product's own. */
function compiledCopy(): typeof entryCodec {
  const { outputText } = ts.transpileModule(changedFile(CODEC, NEW_FIELD[CODEC]!), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  });
  const made = {};
  const load = (name: string): unknown => jest.requireActual(join(ROOT, dirname(CODEC), name));
  const run = compileFunction(outputText, ['exports', 'require']) as (exports: object, require: typeof load) => void;
  run(made, load);
  return made as typeof entryCodec;
}
