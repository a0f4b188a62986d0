import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { PrismaService } from '../../src/platform/database/prisma.service';
import { World } from '../support/world';

const PAGE = join(__dirname, '../../docs/tables.md');
const [BEGIN, END] = ['<!-- made from the catalog: tables -->', '<!-- end -->'];
const HEAD = ['Table', 'How long a row is kept', 'Its repository', 'Unique keys without the repository'];
const OWN = ['repositoryId', 'repository_id'];
/** Columns that lead to a repository in one or several steps. */
const LEADING = ['queueId', 'testRunId', 'runId', 'entryId', 'testCaseId', 'test_case_id', 'upload_id'];
const RETENTION = [
  'processing/retention/expired-rows',
  'processing/retention/history-rows',
  'modules/test-health/storage/days/expired-results',
].map((path) => `src/${path}.ts`);

interface Table {
  readonly name: string;
  readonly isPartitioned: boolean;
  readonly columns: readonly { readonly name: string; readonly nullable: boolean }[];
  readonly uniqueKeys: readonly (readonly string[])[];
  /** Tables from which a deletion also deletes rows of this table. */
  readonly cascades: readonly string[];
}

/** Every table has a row on the page, and the row matches the catalog and the code. */
describe('docs/tables.md', () => {
  let tables: readonly Table[];
  let rows: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    const world = await World.create({ host: 'memory' });
    try {
      tables = await readTables(world.app.get(PrismaService));
    } finally {
      await world.close();
    }
    if (process.env.SLUICE_UPDATE_TABLES === '1') update(tables);
    rows = new Map(rowsOfPage().map((cells) => [unquoted(cells[0]!), cells]));
  });

  it('has a row for every table, with the time for which each of its rows is kept', () => {
    expect([...rows.keys()].sort()).toEqual(tables.map(({ name }) => name).sort());
    const wordless = [...rows].filter(([, [, kept]]) => !/^(deleted|dropped|with|bounded|kept): ./.test(kept ?? ''));
    expect(wordless.map(([name]) => name)).toEqual([]);
  });

  it('says how each table refers to its repository, and which unique keys omit the repository', () => {
    for (const table of tables) {
      expect([table.name, ...(rows.get(table.name) ?? []).slice(2)]).toEqual([table.name, ...factsOf(table)]);
    }
  });

  it('says "deleted" for tables from which the code deletes rows, and "dropped" for partitions', () => {
    const keptAs = (word: string) => [...rows].filter(([, cells]) => cells[1]!.startsWith(`${word}:`)).map(([n]) => n);
    const everywhere = globSync('src/**/*.ts', { ignore: ['src/generated/**', '**/*.spec.ts'] });
    const anywhere = deletedBy(everywhere);
    expect(keptAs('deleted').filter((name) => !anywhere.has(name))).toEqual([]);
    expect([...deletedBy(RETENTION)].filter((name) => !keptAs('deleted').includes(name))).toEqual([]);
    expect(keptAs('dropped')).toEqual(tables.filter(({ isPartitioned }) => isPartitioned).map(({ name }) => name));
  });

  it('names the owning row for rows that PostgreSQL deletes together with that row', () => {
    const owned = tables.flatMap(({ name, cascades }) => {
      const [, owner] = /^with: `(\w+)`/.exec(rows.get(name)?.[1] ?? '') ?? [];
      return owner === undefined ? [] : [{ name, owner, goesWithIt: cascades.includes(owner) }];
    });
    expect(owned.length).toBeGreaterThan(0);
    expect(owned.filter(({ goesWithIt }) => !goesWithIt)).toEqual([]);
  });
});

function factsOf({ name, columns, uniqueKeys }: Table): readonly [string, string] {
  const own = columns.find((column) => OWN.includes(column.name));
  const leading = LEADING.find((one) => columns.some((column) => column.name === one));
  const isOfOrganization = columns.some((column) => column.name === 'organizationId' || column.name === 'webhookId');
  const keyed = name === 'Repository' ? ['id'] : OWN;
  const lacking = uniqueKeys.filter((key) => !key.some((column) => keyed.includes(column)));
  const keys = lacking.map((key) => `\`${key.join(', ')}\``).join('; ') || 'none';
  if (name === 'Repository') return ['itself', keys];
  if (own) return [own.nullable ? `\`${own.name}\`, may be null` : `\`${own.name}\``, keys];
  if (leading !== undefined) return [`by \`${leading}\``, keys];
  return [isOfOrganization || name === 'Organization' ? 'of an organization' : 'none', keys];
}

async function readTables(prisma: PrismaService): Promise<Table[]> {
  return prisma.$queryRaw<Table[]>`
    SELECT CASE n.nspname WHEN 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END AS "name",
      c.relkind = 'p' AS "isPartitioned",
      (SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'nullable', NOT a.attnotnull) ORDER BY a.attnum)
        FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS "columns",
      coalesce((SELECT jsonb_agg(k.columns ORDER BY k.is_primary DESC, k.name) FROM (
        SELECT i.indisprimary AS is_primary, i.indexrelid::regclass::text AS name,
          (SELECT jsonb_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = i.indexrelid) AS columns
        FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique) k), '[]') AS "uniqueKeys",
      coalesce((SELECT jsonb_agg(f.confrelid::regclass::text) FROM pg_constraint f
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confdeltype = 'c'), '[]') AS "cascades"
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'test_results') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ORDER BY 1`.then((all) => all.map((table) => ({ ...table, cascades: table.cascades.map(unquoted) })));
}

/** Tables from which these files delete rows. */
function deletedBy(files: readonly string[]): ReadonlySet<string> {
  const sources = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const byStatement = [...sources.matchAll(/DELETE FROM (?:"(\w+)"|(test_results\.\w+))/g)].map(([, a, b]) => a ?? b!);
  const byClient = [...sources.matchAll(/\.(\w+)\.delete(?:Many)?\(\{ where/g)].map(
    ([, model]) => model!.charAt(0).toUpperCase() + model!.slice(1),
  );
  return new Set([...byStatement, ...byClient]);
}

function rowsOfPage(): string[][] {
  const [, table = ''] =
    readFileSync(PAGE, 'utf8')
      .split(BEGIN)[1]
      ?.split(END)[0]
      ?.split(/\| -+ \|.*\n/) ?? [];
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Rewrites the page, except for the texts about how long rows are kept. */
function update(tables: readonly Table[]): void {
  const kept = new Map(rowsOfPage().map(([name, words]) => [unquoted(name!), words!]));
  const lines = tables.map((table) => [`\`${table.name}\``, kept.get(table.name) ?? '', ...factsOf(table)].join(' | '));
  const [before, rest] = readFileSync(PAGE, 'utf8').split(BEGIN);
  const table = [HEAD.join(' | '), HEAD.map(() => '---').join(' | '), ...lines].map((line) => `| ${line} |`);
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${table.join('\n')}\n\n${END}${rest!.split(END)[1]}`);
}

function unquoted(name: string): string {
  return name.replaceAll(/[`"]/g, '');
}
