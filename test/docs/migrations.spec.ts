import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { timeOf } from '../../prisma/commands/migration-name';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../../src/platform/migrations/migration-files';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Changes that may break the previous version of the service, which still runs while processes are replaced one after
 * another.
 */
const BREAKS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drops', /\bDROP\s+(TABLE|COLUMN|SCHEMA|TYPE|VIEW|SEQUENCE|FUNCTION|DEFAULT)\b/],
  ['renames', /\bRENAME\b/],
  ['changes a type', /\b(SET\s+DATA\s+)?TYPE\s+(?!AS\b)\w+/],
  ['wants a value', /\bSET\s+NOT\s+NULL\b/],
  [
    'adds a column that wants a value',
    /\bADD\s+COLUMN\b(?:(?!DEFAULT)[^,;])*\bNOT\s+NULL\b(?:(?!DEFAULT)[^,;])*(?=[,;]|$)/,
  ],
  ['deletes rows', /\b(TRUNCATE|DELETE\s+FROM)\b/],
];
/** Statements that cannot be in a transaction, or that end a transaction. */
const NOT_IN_A_TRANSACTION =
  /\bCONCURRENTLY\b|^\s*(COMMIT|ROLLBACK|END|BEGIN|START\s+TRANSACTION)\s*;|\b(VACUUM|REINDEX)\b/m;

function problemsOf(sql: string): string[] {
  const statements = sql
    .replace(/--.*$/gm, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .toUpperCase();
  const breaks = /^-- contract: \S/m.test(sql) ? [] : BREAKS.filter(([, pattern]) => pattern.test(statements));
  const problems = breaks.map(([what]) => what);
  return NOT_IN_A_TRANSACTION.test(statements) ? [...problems, 'is more than one transaction'] : problems;
}

/** The time at which the migration was committed; the current time if it is not committed. */
function committedAt(name: string): number {
  const args = ['log', '-1', '--diff-filter=A', '--format=%ct', '--', join(MIGRATIONS_DIRECTORY, name)];
  const { stdout } = spawnSync('git', args, { cwd: MIGRATIONS_DIRECTORY, encoding: 'utf8' });
  return stdout ? Number(stdout) * 1000 : Date.now();
}

describe('prisma/migrations', () => {
  const migrations = readMigrations(MIGRATIONS_DIRECTORY);

  it('have different times, so each migration sorts after the migrations that made its tables', () => {
    const times = migrations.map(({ name }) => timeOf(name));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  it('are dated no later than the day of their commit', () => {
    const late = migrations.filter(({ name }) => timeOf(name) >= (Math.floor(committedAt(name) / DAY_MS) + 1) * DAY_MS);
    expect(late.map(({ name }) => name)).toEqual([]);
  });

  it('begin with a baseline', () => {
    expect(migrations[0]?.name).toMatch(/_baseline$/);
  });

  it('only add after the baseline, or say by "-- contract: why" that the previous version no longer runs', () => {
    const problems = migrations.slice(1).map(({ name, sql }) => [name, problemsOf(sql)] as const);
    expect(problems.filter(([, found]) => found.length > 0)).toEqual([]);
  });
});

describe('the SQL of a migration', () => {
  it.each([
    ['ALTER TABLE "Queue" DROP COLUMN "a";', 'drops'],
    ['drop table "Queue"', 'drops'],
    ['ALTER TABLE "Queue" RENAME COLUMN "a" TO "b";', 'renames'],
    ['ALTER TABLE "Queue" ALTER COLUMN "a" SET DATA TYPE BIGINT;', 'changes a type'],
    ['ALTER TABLE "Queue" ALTER COLUMN "a" TYPE bigint;', 'changes a type'],
    ['ALTER TABLE "Queue" ALTER COLUMN "a" SET NOT NULL;', 'wants a value'],
    ['ALTER TABLE "Queue" ADD COLUMN "a" TEXT NOT NULL;', 'adds a column that wants a value'],
    [
      'ALTER TABLE "Queue" ADD COLUMN "b" INT NOT NULL DEFAULT 0, ADD COLUMN "a" TEXT NOT NULL',
      'adds a column that wants a value',
    ],
    ['DELETE FROM "Queue";', 'deletes rows'],
    ['CREATE INDEX CONCURRENTLY "i" ON "Queue"("a");', 'is more than one transaction'],
    ['CREATE TABLE "a" ("id" INT);\nCOMMIT;', 'is more than one transaction'],
  ])('is refused with %s: it %s', (sql, problem) => expect(problemsOf(sql)).toEqual([problem]));

  it.each([
    'ALTER TABLE "Queue" ADD COLUMN "a" TEXT;',
    `ALTER TABLE "Queue" ADD COLUMN "a" TEXT NOT NULL DEFAULT 'DROP TABLE';`,
    'CREATE TABLE "a" ("id" UUID NOT NULL, "type" TEXT NOT NULL, CONSTRAINT "a_pkey" PRIMARY KEY ("id"));',
    'CREATE INDEX "i" ON "Queue"("a"); -- DROP TABLE says nothing here',
    '-- contract: nobody reads it since 0.9.\nALTER TABLE "Queue" DROP COLUMN "a";',
    'CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN RETURN NULL; END $$ LANGUAGE plpgsql;',
  ])('is accepted with %s', (sql) => expect(problemsOf(sql)).toEqual([]));
});
