import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { CertifyResult } from '../../../src/cli/certify/certify';
import { RunFile } from '../../../src/cli/certify/run-file';
import { runSluice } from '../../../src/cli/run-sluice';
import { MockRun, worldOf } from './mock-runs';

const ROW = 'the service shows a status, and changes it';

describe('sluice certify', () => {
  let run: MockRun;
  let said: { out: string; err: string };

  beforeEach(async () => {
    run = await MockRun.start();
    writeFileSync(join(run.folder, 'token'), `${run.token}\n`);
    jest.spyOn(Logger, 'overrideLogger').mockReturnValue(undefined);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await run.close();
  });

  const path = (name: string): string => join(run.folder, name);
  const sluice = (...args: readonly string[]): Promise<number> => {
    said = { out: '', err: '' };
    const terminal = {
      out: (text: string) => void (said.out += text),
      err: (text: string) => void (said.err += text),
      columns: undefined,
    };
    return runSluice(['certify', ...args], terminal);
  };
  const files = (): readonly string[] => ['--run-file', path('run.jsonl'), '--report', path('report.json')];
  const access = (): readonly string[] => ['--url', run.double.gitUrl, '--token-file', path('token')];
  const certify = (...more: readonly string[]): Promise<number> =>
    sluice('gitea', ...access(), '--this-is-a-test-server', ...files(), ...more);

  it('shows each row, ends with exit code 0 if all rows pass, and writes a report without tokens', async () => {
    const before = worldOf(run.double);
    expect(await certify('--only', ROW)).toBe(0);
    expect(said.err).toBe(`1/1  passed      statuses › ${ROW}\n`);
    expect(said.out).toContain('1 passed, 0 differ, 0 cut short, 0 not offered.');
    const report = readFileSync(path('report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ kind: 'gitea', rows: [{ outcome: { type: 'passed' } }], kept: [] });
    expect(report + readFileSync(path('run.jsonl'), 'utf8')).not.toContain(run.token);
    expect(worldOf(run.double)).toEqual(before);
  });

  it('ends with exit code 3 and shows the last HTTP exchange if a row differs', async () => {
    run.double.faults.answerBody('repoListStatusesByRef', 200, [{ id: 1, context: 'ci', status: 'failure' }], {
      times: Infinity,
    });
    expect(await certify('--only', 'a commit without statuses has none')).toBe(3);
    expect(said.out).toContain('DIFFERS');
    expect(said.out).toMatch(/last request: GET \/api\/v1\/repos\/\S+, answered 200/);
    expect(said.err).toContain(`Next: read the exchange of each row in ${path('report.json')}`);
    const [row] = (JSON.parse(readFileSync(path('report.json'), 'utf8')) as CertifyResult).rows;
    expect(row?.outcome).toMatchObject({ type: 'differs', exchange: expect.anything() as unknown });
  });

  it('ends with exit code 4 if a row cannot be tried', async () => {
    run.double.faults.answer('repoCreatePullRequest', 403, 'no pull requests here', { times: Infinity });
    expect(await certify('--only', ROW)).toBe(4);
    expect(said.out).toMatch(/CUT SHORT .*\n.*403 no pull requests here/);
  });

  it('does not start if an earlier run left something, and names the command that cleans up', async () => {
    const file = RunFile.begin(path('run.jsonl'), { run: '0a1b2c3d', kind: 'gitea', url: run.double.gitUrl });
    file.intends('organization', 'sluice-certify-0a1b2c3d-org');
    expect(await certify('--only', ROW)).toBe(1);
    expect(said.err).toContain('is of run 0a1b2c3d');
    expect(said.err).toContain(`sluice certify --clean-up ${path('run.jsonl')} --token-file <file>`);
    expect(await sluice('--clean-up', path('run.jsonl'), '--token-file', path('token'))).toBe(0);
    expect(said.out).toContain('1 removed, 0 left');
    expect(await certify('--only', ROW)).toBe(0);
  });

  it.each([
    ['neither a test server nor an organization is named', [], 'either --this-is-a-test-server or --organization'],
    ['the address is http and elsewhere', ['--url', 'http://git.acme.example'], '--url is an https:// address'],
    ['the kind is none', [], 'none of the kind svn', 'svn'],
    ['no row is meant', ['--this-is-a-test-server', '--only', 'no-such-row'], 'No row has the words no-such-row'],
  ])('ends with exit code 2 if %s, and sends the server no request', async (_, more, words, kind = 'gitea') => {
    expect(await sluice(kind, ...access(), ...files(), ...more)).toBe(2);
    expect(said.err).toContain(words);
    expect([run.double.requests.all, existsSync(path('run.jsonl'))]).toEqual([[], false]);
  });
});
