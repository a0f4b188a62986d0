import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const TREE = ['prisma', 'prisma.config.ts', 'package.json', 'tsconfig.json', 'src/platform'];
const FIRST_RELEASE = 'v1.0.0-rc.1';
/** The name of a migration created by a colleague whose clock is far ahead. */
const AHEAD = '20991231235959_ahead';

describe('a copy of the project', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'sluice-copy-'));
    for (const path of TREE) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    git('init', '--quiet');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--allow-empty', '--message=all');
  });

  afterAll(() => rmSync(copy, { recursive: true }));

  function git(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: copy, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  function run(command: string, ...args: string[]): { readonly status: number | null; readonly output: string } {
    const argv = ['-r', './prisma/engine/load-typescript.cjs', `prisma/commands/${command}.ts`, ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: copy, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  const migrations = () => readdirSync(join(copy, 'prisma/migrations')).filter((name) => /^\d/.test(name));
  const sqlOf = (name: string) => readFileSync(join(copy, 'prisma/migrations', name, 'migration.sql'), 'utf8');

  it('gets one migration from db:baseline, which a second call leaves as it is', () => {
    expect(run('baseline').status).toBe(0);
    const [baseline = '', ...others] = migrations();
    const before = sqlOf(baseline);
    expect(others).toEqual([]);
    const again = /^\d+_baseline is the only migration\. It makes the schema .*: \d+ objects\.\n$/;
    expect(run('baseline')).toEqual({ status: 0, output: expect.stringMatching(again) as string });
    expect([migrations(), sqlOf(baseline)]).toEqual([[baseline], before]);
  });

  it('gets no migration from db:migrate without a name, nor without a change of the schema', () => {
    expect(run('migrate').output).toContain('The migration needs a name.');
    expect(run('migrate', '--name', 'more')).toEqual({
      status: 1,
      output: 'prisma/schema.prisma has no change that needs a migration. For other SQL, add: --empty\n',
    });
    expect(migrations()).toHaveLength(1);
  });

  it('gets a migration from db:migrate that sorts after the last, although the last is dated in the future', () => {
    mkdirSync(join(copy, 'prisma/migrations', AHEAD));
    const trigger = 'CREATE INDEX "Queue_open_idx" ON "Queue"("branch") WHERE "deletedAt" IS NULL;\n';
    writeFileSync(join(copy, 'prisma/migrations', AHEAD, 'migration.sql'), trigger);
    appendFileSync(join(copy, 'prisma/schema.prisma'), '\nmodel Later {\n  id Int @id\n}\n');
    expect(run('migrate', '--name', 'later')).toEqual({
      status: 0,
      output: 'Wrote prisma/migrations/21000101000000_later/migration.sql.\n',
    });
    expect(migrations().slice(1)).toEqual([AHEAD, '21000101000000_later']);
    expect(sqlOf('21000101000000_later')).toContain('CREATE TABLE "Later"');
  });

  it('gets one migration from db:baseline instead of three, and the name of the commit that reads older databases', () => {
    const before = migrations();
    expect(run('baseline')).toMatchObject({
      status: 0,
      output: expect.stringMatching(
        /^\d+_baseline replaces 3 migrations\. Both make the same schema: \d+ objects\.\n$/,
      ) as string,
    });
    const [baseline = '', ...others] = migrations();
    expect(others).toEqual([]);
    expect(baseline > before[0]!).toBe(true);
    expect(sqlOf(baseline)).toContain('CREATE TABLE "Later"');
    expect(sqlOf(baseline)).toContain('CREATE INDEX "Queue_open_idx"');
    const folded = JSON.parse(readFileSync(join(copy, 'prisma/migrations/folded.json'), 'utf8')) as object[];
    expect(folded.at(-1)).toEqual({ firstMigration: before[0], lastCommit: git('rev-parse', 'HEAD') });
  });

  it('keeps its migrations once the first release is tagged', () => {
    git('tag', FIRST_RELEASE);
    const { status, output } = run('baseline');
    expect([status, output.split('\n')[0]]).toEqual([
      1,
      `${FIRST_RELEASE} is tagged: its databases must stay readable. Write a migration with: npm run db:migrate`,
    ]);
    expect(run('baseline', '--help')).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^Usage: npm run db:baseline/) as string,
    });
    expect(existsSync(join(copy, 'prisma/migrations/folded.json'))).toBe(true);
  });
});
