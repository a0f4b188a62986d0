import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Client as Connection } from 'pg';
import { Extension, MergeQueue } from '../../src';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { applyExtensionMigrations } from '../../src/extensions/extension-migrations';
import type { Client } from './client';
import { Service } from './service';

const MAIN = { repo: { host: 'memory.example', owner: 'acme', name: 'widgets' }, targetBranch: 'main' };

describe('The operations for extensions', () => {
  let service: Service;
  let queue: MergeQueue;
  let host: MemoryRepository;
  let admin: Client;
  const acme = { organization: 'acme', actor: 'release train' };

  beforeAll(async () => {
    service = await Service.inMemory();
    queue = service.app.get(MergeQueue, { strict: false });
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    await service.organization('other');
    admin = await service.client('acme', 'admin');
    await admin.post('createQueue', { ...MAIN, requiredStatuses: ['tests'] });
  });
  afterAll(() => service.stop());

  it('submit, read and cancel like the HTTP API, in the name that the extension gives', async () => {
    host.openPullRequest(1);
    const submitted = await queue.submitPullRequest(acme, { ...MAIN, pr: { number: 1 }, priority: 10 });
    expect(submitted).toMatchObject({ prNumber: 1, priorityName: 'high', isCurrentlySubmittedToQueue: true });
    expect(await queue.getQueue(acme, MAIN)).toMatchObject({ enqueuedPullRequests: [{ prNumber: 1 }] });
    await queue.cancelPullRequest(acme, { ...MAIN, pr: { number: 1 } });
    const read = await queue.getSubmittedPullRequest(acme, { ...MAIN, pr: { number: 1 }, includeTimeline: true });
    expect(read).toMatchObject({ state: 'cancelled', timeline: [{ actor: 'release train' }, {}, {}] });
    const { body } = await admin.post('getSubmittedPullRequest', { ...MAIN, pr: { number: 1 }, includeTimeline: true });
    expect(body).toEqual(JSON.parse(JSON.stringify(read)));
  });

  it('refuse with the error codes of the API', async () => {
    const submit = (as: object, request: object) =>
      queue
        .submitPullRequest({ ...acme, ...as }, { ...MAIN, pr: { number: 2 }, ...request })
        .catch((error: unknown) => error);
    expect(await submit({}, { pr: { number: 0 } })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'pr.number' }],
    });
    expect(await submit({}, {})).toMatchObject({ code: 'PR_NOT_FOUND' });
    expect(await submit({}, { targetBranch: 'none' })).toMatchObject({ code: 'MERGE_QUEUE_NOT_FOUND' });
    expect(await submit({ organization: 'other' }, {})).toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    expect(await submit({ organization: 'nobody' }, {})).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('The migrations of an extension', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-extension-'));
  const migrations = join(folder, 'migrations');
  const url = process.env.DATABASE_URL!;
  const database = new Connection({ connectionString: url });

  @Extension({ name: 'test_acme', migrations })
  @Module({})
  class AcmeTables {}

  const write = (name: string, sql: string) => writeFileSync(join(migrations, name), sql);
  const apply = () => applyExtensionMigrations(url, [AcmeTables]);

  beforeAll(() => database.connect());
  beforeEach(() => mkdirSync(migrations));
  afterEach(async () => {
    rmSync(migrations, { recursive: true });
    await database.query('DROP SCHEMA IF EXISTS ext_test_acme CASCADE');
  });
  afterAll(async () => {
    await database.end();
    rmSync(folder, { recursive: true });
  });

  it("are applied in the order of their names, once, in the extension's own schema", async () => {
    write('0002_fill.sql', "INSERT INTO visit VALUES ('first')");
    write('0001_visits.sql', 'CREATE TABLE visit (who text); CREATE INDEX ON visit (who);');
    write('notes.txt', 'not a migration');
    expect(await apply()).toEqual(['test_acme/0001_visits.sql', 'test_acme/0002_fill.sql']);
    expect(await apply()).toEqual([]);
    expect((await database.query('SELECT * FROM ext_test_acme.visit')).rows).toEqual([{ who: 'first' }]);
    write('0003_more.sql', "INSERT INTO visit VALUES ('second')");
    expect(await apply()).toEqual(['test_acme/0003_more.sql']);
  });

  it('are applied once when several processes start at the same time', async () => {
    write('0001_visits.sql', 'CREATE TABLE visit (who text)');
    const applied = await Promise.all([apply(), apply(), apply()]);
    expect(applied.flat()).toEqual(['test_acme/0001_visits.sql']);
  });

  it('stop the start with an explanation when a migration fails, and leave none of its changes', async () => {
    write('0001_visits.sql', 'CREATE TABLE visit (who text)');
    write('0002_wrong.sql', 'CREATE TABLE other (who text); INSERT INTO nothing VALUES (1);');
    await expect(apply()).rejects.toThrow(
      'The migration test_acme/0002_wrong.sql failed and was rolled back: relation "nothing" does not exist.',
    );
    const { rows } = await database.query("SELECT to_regclass('ext_test_acme.other') AS other");
    expect(rows).toEqual([{ other: null }]);
    write('0002_wrong.sql', 'CREATE TABLE other (who text)');
    expect(await apply()).toEqual(['test_acme/0002_wrong.sql']);
  });

  it('stop the start when an applied migration was changed, or when their folder is missing', async () => {
    write('0001_visits.sql', 'CREATE TABLE visit (who text)');
    await apply();
    write('0001_visits.sql', 'CREATE TABLE visit (who text, at timestamptz)');
    await expect(apply()).rejects.toThrow(/test_acme\/0001_visits\.sql was changed after it had been applied/);

    @Extension({ name: 'test_acme', migrations: join(folder, 'none') })
    @Module({})
    class Lost {}
    await expect(applyExtensionMigrations(url, [Lost])).rejects.toThrow(/names the folder .*none.* cannot be read/);
    await expect(applyExtensionMigrations(url, [Lost, AcmeTables])).rejects.toThrow(
      'Lost and AcmeTables are both the extension test_acme; each needs a name of its own.',
    );
  });

  it('require an extension name that is valid for a schema', () => {
    expect(() => Extension({ name: 'Acme-Tools' })).toThrow(/"Acme-Tools" must be named by 1 to 40/);
  });
});
