import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GitHubClient } from './github-client';
import { GitHubDouble } from './github-double';
import type { RepositoryDouble } from './repository-double';

interface Received {
  readonly event: string;
  readonly guid: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const SECRET = 'it is one';

describe('webhook deliveries of the mock GitHub', () => {
  let github: GitHubDouble;
  let repository: RepositoryDouble;
  let receiver: Server;
  let received: Received[];
  let status: number;

  beforeEach(async () => {
    received = [];
    status = 202;
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { headers } = request;
        const [event, guid] = [String(headers['x-github-event']), String(headers['x-github-delivery'])];
        received.push({ event, guid, headers, text, payload: JSON.parse(text) as Received['payload'] });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    github = await GitHubDouble.start({ enterpriseHost: 'github.acme.example' });
    repository = github.createRepository('acme', 'widgets');
    const { port } = receiver.address() as AddressInfo;
    github.webhooks.deliverTo(`http://127.0.0.1:${port}/webhooks/github`, SECRET);
  });

  afterEach(async () => {
    await github.close();
    await new Promise((resolve) => receiver.close(resolve));
  });

  const names = async (): Promise<string[]> => {
    await github.webhooks.settled();
    return received.map(({ event, payload }) =>
      typeof payload.action === 'string' ? `${event}.${payload.action}` : event,
    );
  };

  it('are signed over their bytes, and name their event and the hook', async () => {
    repository.comment(repository.openPullRequest({ 'a.txt': 'grüße\n' }).number, 'grüße');
    await github.webhooks.settled();
    expect(received).toHaveLength(3);
    for (const { headers, text, payload } of received) {
      const expected = createHmac('sha256', SECRET).update(text).digest('hex');
      expect(headers['x-hub-signature-256']).toBe(`sha256=${expected}`);
      expect(headers['x-github-enterprise-host']).toBe('github.acme.example');
      expect(headers['content-type']).toBe('application/json');
      expect(payload).toMatchObject({
        repository: { id: repository.record.id, full_name: 'acme/widgets', owner: { login: 'acme' } },
        installation: { id: expect.any(Number) as number },
        sender: { login: 'ada' },
      });
    }
    expect(new Set(received.map(({ guid }) => guid)).size).toBe(3);
  });

  it.each<[string, () => unknown, string[]]>([
    ['a push', () => repository.push(1, { 'b.txt': 'b\n' }), ['push', 'pull_request.synchronize']],
    ['closing', () => repository.closePullRequest(1), ['pull_request.closed']],
    ['a draft', () => repository.convertToDraft(1), ['pull_request.converted_to_draft']],
    ['another title', () => repository.rename(1, 'Better'), ['pull_request.edited']],
    ['the merge button', () => repository.merge(1), ['pull_request.closed', 'push']],
    ['a comment', () => repository.comment(1, 'hello'), ['issue_comment.created']],
    ['a status', () => repository.setStatus(repository.tip('main'), 'ci', 'success'), ['status']],
    ['a begun check', () => repository.setCheckRun(repository.tip('main'), 'ci', 'queued'), ['check_run.created']],
    [
      'a check that is over at once',
      () => repository.setCheckRun(repository.tip('main'), 'ci', 'success'),
      ['check_run.created', 'check_run.completed'],
    ],
    [
      'a lost permission',
      () => github.setPermission('acme', 'checks', 'none'),
      ['installation.new_permissions_accepted'],
    ],
    ['the end of the installation', () => github.uninstall('acme'), ['installation.deleted']],
    [
      'another base',
      () => {
        repository.setBranch('release', repository.tip('main'));
        repository.changeBase(1, 'release');
      },
      ['push', 'pull_request.edited'],
    ],
    [
      'closing and opening again',
      () => {
        repository.closePullRequest(1);
        repository.reopenPullRequest(1);
      },
      ['pull_request.closed', 'pull_request.reopened'],
    ],
  ])('are sent for %s', async (_, happens, expected) => {
    repository.openPullRequest({ 'a.txt': 'a\n' });
    await github.webhooks.settled();
    received.length = 0;
    happens();
    expect(await names()).toEqual(expected);
  });

  it('name the branch of a push, with its commits before and after the push', async () => {
    const before = repository.tip('main');
    const after = repository.pushToBranch('main', { 'a.txt': 'a\n' }, { title: 'Say it' });
    repository.setBranch('main', before);
    repository.setBranch('topic', after);
    repository.removeBranch('topic');
    await names();
    const zero = '0'.repeat(40);
    const main = { ref: 'refs/heads/main', created: false, deleted: false };
    expect(received.map(({ payload }) => payload)).toMatchObject([
      { ...main, before, after, forced: false, head_commit: { id: after, message: 'Say it' } },
      { ...main, before: after, after: before, forced: true },
      { ref: 'refs/heads/topic', before: zero, after, created: true },
      { ref: 'refs/heads/topic', before: after, after: zero, deleted: true, head_commit: null },
    ]);
  });

  it('contain the present state of the pull request', async () => {
    const { number } = repository.openPullRequest({ 'a.txt': 'a\n' }, { by: 'grace', draft: true });
    const head = repository.push(number, { 'a.txt': 'b\n' });
    repository.markReady(number);
    const commit = repository.merge(number);
    await names();
    const pulls = received.filter(({ event }) => event === 'pull_request').map(({ payload }) => payload);
    expect(pulls).toMatchObject([
      { number, pull_request: { draft: true, user: { login: 'grace' }, base: { ref: 'main' }, state: 'open' } },
      { after: head, pull_request: { head: { sha: head, ref: 'change-1' } } },
      { action: 'ready_for_review', pull_request: { draft: false } },
      { action: 'closed', pull_request: { merged: true, merge_commit_sha: commit, state: 'closed' } },
    ]);
  });

  it('name the commit and the time of a status or a check run', async () => {
    const sha = repository.tip('main');
    repository.setStatus(sha, 'ci', 'failure', { description: 'two failed', targetUrl: 'https://ci.example/1' });
    repository.setCheckRun(sha, 'lint', 'timed_out');
    await names();
    expect(received[0]?.payload).toMatchObject({
      sha,
      context: 'ci',
      state: 'failure',
      description: 'two failed',
      target_url: 'https://ci.example/1',
      branches: [{ name: 'main' }],
      updated_at: expect.stringMatching(/Z$/) as string,
    });
    expect(received.at(-1)?.payload).toMatchObject({
      check_run: {
        head_sha: sha,
        name: 'lint',
        status: 'completed',
        conclusion: 'timed_out',
        completed_at: expect.stringMatching(/Z$/) as string,
        check_suite: { head_sha: sha, head_branch: 'main' },
      },
    });
  });

  it('name the author of a comment, and the pull request', async () => {
    const { number } = repository.openPullRequest({ 'a.txt': 'a\n' });
    const comment = repository.comment(number, '/sluice merge', 'helpful[bot]');
    await names();
    expect(received.at(-1)?.payload).toMatchObject({
      action: 'created',
      issue: { number, pull_request: { url: expect.stringContaining(`/pulls/${number}`) as string } },
      comment: { id: comment.id, body: '/sluice merge', user: { login: 'helpful[bot]', type: 'Bot' } },
    });
  });

  it('are sent also for actions of the app itself', async () => {
    const client = new GitHubClient(github, 'acme/widgets');
    const body = { state: 'pending', context: 'queue' };
    await client.ask('POST', `statuses/${repository.tip('main')}`, { body });
    expect(await names()).toEqual(['status']);
    expect(received[0]?.payload).toMatchObject({ sender: { login: github.bot, type: 'Bot' } });
  });

  it('can be lost, duplicated, held and reordered by a test', async () => {
    const fates = ['dropped', 'doubled', 'held', 'held', 'delivered'] as const;
    let count = 0;
    github.webhooks.fateOf = () => fates[count++] ?? 'delivered';
    const contexts = ['a', 'b', 'c', 'd', 'e'];
    for (const context of contexts) repository.setStatus(repository.tip('main'), context, 'success');
    await github.webhooks.settled();
    github.webhooks.release((held) => [...held].reverse());
    await github.webhooks.settled();
    expect(received.map(({ payload }) => payload.context)).toEqual(['b', 'b', 'e', 'd', 'c']);
    expect(received[0]?.guid).toBe(received[1]?.guid);
  });

  it('keep their id when they are sent again', async () => {
    repository.setStatus(repository.tip('main'), 'ci', 'success');
    await github.webhooks.settled();
    github.webhooks.replay(received[0]?.guid ?? '');
    await github.webhooks.settled();
    expect(received.map(({ guid, text }) => [guid, text])).toEqual([
      [received[0]?.guid, received[0]?.text],
      [received[0]?.guid, received[0]?.text],
    ]);
  });

  it("are listed for the app, with the receiver's answer", async () => {
    status = 500;
    repository.setStatus(repository.tip('main'), 'ci', 'success');
    await github.webhooks.settled();
    const client = new GitHubClient(github, 'acme/widgets');
    const authorization = client.appAuthorization;
    const { body } = await client.ask('GET', '/app/hook/deliveries', { authorization });
    expect(body).toMatchObject([{ guid: received[0]?.guid, event: 'status', status_code: 500 }]);
    const good = await client.ask('GET', '/app/hook/deliveries?status=success', { authorization });
    expect(good.body).toEqual([]);
  });

  it('are not sent for repositories without the app', async () => {
    const fork = github.fork(repository, 'grace');
    fork.pushToBranch('topic', { 'a.txt': 'a\n' });
    expect(await names()).toEqual([]);
  });
});
