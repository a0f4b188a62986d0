import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GITEA_PAYLOADS } from './gitea-payloads';
import { GITLAB_PAYLOADS } from './gitlab-payloads';
import { checkPayloads, type PayloadReport, printPayloads } from './payloads';

const SHA = 'a'.repeat(40);
const PULL = {
  ...{ number: 7, title: 'Raise the price', state: 'open', merged: false, user: { login: 'ada' }, html_url: null },
  ...{ head: { ref: 'raise', sha: SHA }, base: { ref: 'main', sha: SHA } },
  updated_at: '2026-03-01T12:00:00Z',
};
const STATUS = { id: 3, context: 'ci / test (push)', status: 'success', created_at: '2026-03-01T12:00:00Z' };
const MERGE_REQUEST = { iid: 7, title: 'Raise the price', state: 'opened', sha: SHA, target_branch: 'main' };

describe('stored payloads of code hosts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-recorded-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (file: string, body: unknown): void => {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof body === 'string' ? body : JSON.stringify(body));
  };
  let gitea: PayloadReport;
  let gitlab: PayloadReport;

  beforeAll(() => {
    write('gitea/answers/own/pr.json', PULL);
    write('gitea/answers/own/statuses.json', [STATUS]);
    write('gitea/answers/own/branch.json', { name: 'main', protected: 'yes' });
    write('gitea/webhooks/own/pull_request_opened.json', { action: 'opened', number: 7, pull_request: PULL });
    write('gitea/webhooks/own/push.json', { ref: 'refs/heads/main' });
    write('gitea/webhooks/own/issues_opened.json', { action: 'opened', issue: { number: 8 } });
    write('gitea/answers/broken/pr.json', { ...PULL, head: null });
    write('gitea/answers/broken/prs.json', '[{');
    write('gitea/webhooks/broken/pull_request_closed.json', { action: 'closed', pull_request: {} });
    write('gitlab/answers/own/get_merge_request.json', { ...MERGE_REQUEST, iid: '7' });
    const project = { id: 5, path_with_namespace: 'acme/widgets' };
    write('gitlab/webhooks/own/HookPush.json', { object_kind: 'push', project, ref: 'refs/heads/main' });
    write('gitlab/webhooks/own/pull_request_close.json', { object_kind: 'merge_request', project });
    gitea = checkPayloads(folder, GITEA_PAYLOADS);
    gitlab = checkPayloads(folder, GITLAB_PAYLOADS);
  });

  it("are read by Sluice's own clients, and unreadable payloads are named", () => {
    expect(gitea.counts).toEqual({ read: 4, unreadable: 3, no_concern: 2, not_read: 0 });
    expect(gitea.unreadable).toEqual([
      'gitea/answers/broken/pr.json',
      'gitea/answers/broken/prs.json',
      'gitea/webhooks/broken/pull_request_closed.json',
    ]);
    expect(gitlab.counts).toEqual({ read: 1, unreadable: 2, no_concern: 0, not_read: 0 });
    expect(gitlab.unreadable).toEqual([
      'gitlab/answers/own/get_merge_request.json',
      'gitlab/webhooks/own/pull_request_close.json',
    ]);
  });

  it("are compared with the code host's description, and each difference is reported with its files", () => {
    expect(gitea.described).toEqual({ checked: 4, fit: 3 });
    expect([...gitea.differences]).toEqual([
      ['repoGetBranch: answer /protected must be boolean,null', ['answers/own/branch.json']],
    ]);
    expect([...gitlab.differences]).toEqual([
      ['getMergeRequest: answer /iid must be integer,null', ['answers/own/get_merge_request.json']],
    ]);
  });

  it('are reported with the total in the last line', () => {
    const lines = printPayloads([gitea, gitlab]).trimEnd().split('\n');
    expect(lines).toContain('    cannot be read: gitea/answers/broken/pr.json');
    expect(lines.at(-1)).toBe('12 payloads, unreadable: 5');
  });
});
