import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KnownTests } from '../../storage/uploads/known-tests';
import { Workspace } from '../../rules/workspace';
import { UploadSpool } from '../../storage/uploads/upload-spool';
import { slowOwners } from '../../../../../test/support/slow-owners';
import { ByteBudget } from './decoded-bytes';
import { metadataOfQuery, UploadIntake } from './upload-intake';

const REPORT = '<testsuite name="all"><testcase name="adds" file="a.ts"/></testsuite>';

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

describe('The intake of an upload', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-intake-'));
  let spool: UploadSpool;
  let intake: UploadIntake<{ readonly spool: UploadSpool; readonly dialect: 'gitlab' }>;

  beforeEach(async () => {
    const repositoryId = '0b8c1a52-3f6d-4a0e-9c5a-7a6b1f2c3d4e';
    const receivedAt = new Date('2026-11-20T12:00:00.000Z');
    const known = new KnownTests();
    const workspace = new Workspace({ owner: 'acme', name: 'widgets' }, null);
    spool = await UploadSpool.create(folder, { repositoryId, variant: '', receivedAt, keptDays: 45, known, workspace });
    intake = new UploadIntake(new ByteBudget(1), () => Promise.resolve({ spool, dialect: 'gitlab' }));
    await intake.onField('metadata', '{}');
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await spool.remove();
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('refuses CODEOWNERS that are too expensive to match, and names the field', async () => {
    const { text, file } = slowOwners();
    await intake.onField('codeowners', text);
    const report = bytesOf(REPORT.replace('a.ts', file));
    const refused: unknown = await intake.onFile('report.xml', report).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'codeowners', message: expect.stringMatching(/too costly/) as string }],
    });
  });

  it('names the report file that is not well-formed', async () => {
    await intake.onFile('report.xml', bytesOf('<testsuite>'));
    const refused: unknown = await intake.finish().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'report.xml' }] });
  });

  it('returns the opened upload, even if the request body ended before the upload was open', async () => {
    let isOpen: () => void = () => undefined;
    const opening = new Promise<void>((resolve) => (isOpen = resolve));
    const slow = new UploadIntake(new ByteBudget(1), () => opening.then(() => ({ spool, dialect: 'github' as const })));
    const begun = slow.begin({});
    const opened = slow.openedUpload();
    isOpen();
    expect(await opened).toMatchObject({ spool });
    await begun;
  });

  it('needs at least one report', async () => {
    await expect(intake.finish()).rejects.toMatchObject({ details: [{ field: 'files' }] });
  });
});

describe('The query of an upload that is one report', () => {
  it('names the repository as host/owner/name; the owner may contain slashes', () => {
    const repo = { host: 'git.example', owner: 'group/sub', name: 'widgets' };
    expect(metadataOfQuery({ repo: 'git.example/group/sub/widgets', commit: 'c' })).toEqual({ repo, commit: 'c' });
    expect(metadataOfQuery({ commit: 'c' })).toEqual({ commit: 'c' });
  });

  it.each(['widgets', 'git.example/widgets', ['a/b/c', 'a/b/c']])(
    'refuses the repository %j, and names the field',
    (repo) => {
      expect(() => metadataOfQuery({ repo })).toThrow('repo: must be host/owner/name, such as local/demo/widgets');
    },
  );
});
