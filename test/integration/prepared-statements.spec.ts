import { Client } from 'pg';
import { PARTS, SAMPLES } from '../support/sql-samples';
import { type SourceStatement, statementsInSource } from '../support/sql-in-source';

const PREPARED = /^\s*(?:\/\*[^*]*\*\/\s*)?\(?\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/;
const NAMES = /\/\* (.+?) \*\//g;
const TEMPORARY = /^\s*(?:\/\*[^*]*\*\/\s*)?CREATE TEMPORARY TABLE/;

describe('the raw SQL statements of the service', () => {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  let statements: readonly SourceStatement[];

  beforeAll(async () => {
    statements = statementsInSource(SAMPLES);
    await client.connect();
  }, 120_000);
  afterAll(() => client.end());

  it('each begin with a comment that leads to the file and the function', () => {
    expect(statements.length).toBeGreaterThan(400);
    expect(
      statements.flatMap(({ name, wanted, place }) => (name === wanted ? [] : `${place}: /* ${wanted} */`)),
    ).toEqual([]);
    expect(new Set(statements.map(({ name }) => name)).size).toBe(statements.length);
  });

  it('have sample values for the parts that are known only at run time, and there are no other samples', () => {
    expect(
      statements.flatMap(({ wanted, missing }) => (missing.length === 0 ? [] : `${wanted}: ${missing.join(', ')}`)),
    ).toEqual([]);
    const names = new Set(statements.map(({ wanted }) => wanted));
    expect([...Object.keys(SAMPLES), ...Object.keys(PARTS)].filter((name) => name !== '*' && !names.has(name))).toEqual(
      [],
    );
  });

  it.each(Object.entries(PARTS))('%s is a part of %s, and is prepared together with it', (part, whole) => {
    const texts = statements.find(({ wanted }) => wanted === whole)?.texts ?? [];
    expect(texts.flatMap((text) => [...text.matchAll(NAMES)].map(([, name]) => name))).toContain(part);
  });

  it('can be prepared on the database schema after all migrations', async () => {
    expect(await failuresAfter('SELECT 1')).toEqual([]);
  }, 120_000);

  it.each([
    ['a column', 'ALTER TABLE "Queue" RENAME COLUMN "wakeAt" TO "dueAt"', 'due-queues claim'],
    ['a table', 'ALTER TABLE "UploadFact" RENAME TO "UploadedFact"', 'read-uploads readUploads'],
  ])(
    'fail with the name of the function that uses %s after a rename',
    async (_what, change, name) => {
      expect(await failuresAfter(change)).toContainEqual(expect.stringContaining(`/* ${name} */`));
    },
    120_000,
  );

  /** The statements that PostgreSQL cannot prepare after this change, with its messages. */
  async function failuresAfter(change: string): Promise<string[]> {
    const texts = statements.flatMap(({ wanted, texts }) => (wanted in PARTS ? [] : texts));
    const failures: string[] = [];
    await client.query('BEGIN');
    try {
      await client.query(change);
      for (const text of texts.filter((one) => TEMPORARY.test(one))) await client.query(text);
      for (const text of texts.filter((one) => PREPARED.test(one))) {
        await client.query('SAVEPOINT one');
        try {
          await client.query(`PREPARE one AS ${text}`);
        } catch (error) {
          failures.push(`${(error as Error).message}: ${text}`);
        }
        await client.query('ROLLBACK TO SAVEPOINT one');
        await client.query('DEALLOCATE ALL');
      }
    } finally {
      await client.query('ROLLBACK');
    }
    return failures;
  }
});
