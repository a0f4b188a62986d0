import { GitHubClient, type ClientAnswer } from '../../support/github/github-client';
import { GitHubDouble } from '../../support/github/github-double';
import { ROUTES } from '../../support/github/routes/all';
import type { RepositoryDouble } from '../../support/github/repository-double';
import { GitHubContract, type ExchangeVerdict } from './contract';
import { OPERATIONS_IN_USE, type OperationInUse } from './operations';

const contract = GitHubContract.load();
const MERGE_ASYNC = 'pulls/1/merge-async';

describe("every answer of the mock GitHub matches GitHub's description", () => {
  let github: GitHubDouble;
  let repository: RepositoryDouble;
  let client: GitHubClient;
  let verdicts: (ExchangeVerdict & { readonly status: number })[];

  beforeEach(async () => {
    verdicts = [];
    github = await GitHubDouble.start({
      onExchange: (exchange) => verdicts.push({ ...contract.checkExchange(exchange), status: exchange.status }),
    });
    repository = github.createRepository('acme', 'widgets', { files: { 'README.md': 'hello\n', 'sub/a.txt': 'a\n' } });
    client = new GitHubClient(github, repository.fullName);
    github.setPermission('acme', 'checks', 'write');
  });

  afterEach(() => github.close());

  const asApp = (method: string, path: string, body?: unknown): Promise<ClientAnswer> =>
    client.ask(method, path, { body, authorization: client.appAuthorization });

  /** Opens a pull request with every kind of data that the service reads. Returns its head. */
  const furnish = (): string => {
    const { head, number } = repository.openPullRequest({ 'b.txt': 'b\n' }, { body: 'Because.' });
    repository.setStatus(head.sha, 'ci', 'pending', { description: 'wait', targetUrl: 'https://ci.example/1' });
    repository.setStatus(head.sha, 'ci', 'success');
    repository.setCheckRun(head.sha, 'lint', 'failure');
    repository.setCheckRun(head.sha, 'build', 'in_progress');
    repository.comment(number, 'looks good');
    repository.review(number, 'APPROVED');
    repository.changePermission('ada', 'write');
    return head.sha;
  };

  const DRIVES: Readonly<Record<OperationInUse, () => Promise<ClientAnswer | ClientAnswer[]>>> = {
    'apps/get-authenticated': () => asApp('GET', '/app'),
    'apps/get-by-slug': () => {
      github.publishApp('renovate', { contents: 'write' });
      return client.ask('GET', '/apps/renovate');
    },
    'users/get-authenticated': () =>
      client.ask('GET', '/user', { authorization: `token ${github.createUserToken('ada')}` }),
    'apps/get-repo-installation': () => asApp('GET', 'installation'),
    'apps/create-installation-access-token': async () => {
      const { body } = await asApp('GET', 'installation');
      const path = `/app/installations/${(body as { id: number }).id}/access_tokens`;
      return [
        await asApp('POST', path),
        await asApp('POST', path, { repositories: ['widgets'], permissions: { contents: 'read' } }),
        await asApp('POST', path, { repository_ids: [repository.record.id] }),
      ];
    },
    'apps/get-webhook-config-for-app': () => {
      github.webhooks.deliverTo('http://127.0.0.1:9/webhooks/github', 'secret');
      return asApp('GET', '/app/hook/config');
    },
    'apps/list-webhook-deliveries': async () => {
      github.webhooks.deliverTo('http://127.0.0.1:9/webhooks/github', 'secret');
      furnish();
      await github.webhooks.settled();
      const answer = await asApp('GET', '/app/hook/deliveries?status=failure&per_page=100');
      expect((answer.body as unknown[]).length).toBeGreaterThan(5);
      return answer;
    },
    'rate-limit/get': () => client.ask('GET', '/rate_limit'),
    'repos/get': async () => {
      const fork = github.fork(repository, 'grace');
      const authorization = `token ${github.createUserToken('grace')}`;
      return [await client.ask('GET', ''), await client.ask('GET', `/repos/${fork.fullName}`, { authorization })];
    },
    'repos/get-branch': async () => {
      const open = await client.ask('GET', 'branches/main');
      repository.protect('main', { requiredContexts: ['ci'] });
      repository.setBranch('sub/branch', repository.tip('main'));
      return [open, await client.ask('GET', 'branches/main'), await client.ask('GET', 'branches/sub%2Fbranch')];
    },
    'repos/list-activities': () => client.ask('GET', 'activity?ref=refs%2Fheads%2Fmain&direction=desc'),
    'repos/get-branch-rules': () => {
      repository.protect('main', { kind: 'ruleset', requiredContexts: ['ci'], requiredApprovals: 1 });
      return client.ask('GET', 'rules/branches/main');
    },
    'repos/get-repo-ruleset': () => {
      repository.protect('main', { kind: 'ruleset', requiredContexts: ['ci'], requiredApprovals: 1 });
      return client.ask('GET', `rulesets/${repository.record.rules[0]?.id}`);
    },
    'git/get-ref': () => client.ask('GET', 'git/ref/heads%2Fmain'),
    'git/get-commit': () => client.ask('GET', `git/commits/${repository.tip('main')}`),
    'repos/get-commit': () => client.ask('GET', `commits/${furnish()}`),
    'git/create-ref': () =>
      client.ask('POST', 'git/refs', { body: { ref: 'refs/heads/new', sha: repository.tip('main') } }),
    'git/delete-ref': () => {
      repository.setBranch('old', repository.tip('main'));
      return client.ask('DELETE', 'git/refs/heads/old');
    },
    'pulls/list': async () => {
      furnish();
      const answer = await client.ask('GET', 'pulls?state=open&base=main&head=acme:change-1&sort=updated&per_page=1');
      expect(answer.body).toHaveLength(1);
      return answer;
    },
    'pulls/create': () => {
      repository.pushToBranch('topic', { 'c.txt': 'c\n' });
      return client.ask('POST', 'pulls', { body: { title: 'Topic', head: 'topic', base: 'main', draft: true } });
    },
    'pulls/get': async () => {
      const fork = github.fork(repository, 'grace');
      furnish();
      repository.openPullRequest({ 'c.txt': 'c\n' }, { fork });
      repository.openPullRequest({ 'd.txt': 'd\n' });
      repository.merge(3);
      const paths = ['pulls/1', 'pulls/1', 'pulls/2', 'pulls/3'];
      return Promise.all(paths.map((path) => client.ask('GET', path)));
    },
    'pulls/update': () => {
      furnish();
      return client.ask('PATCH', 'pulls/1', { body: { title: 'Better', body: '', state: 'closed' } });
    },
    'pull-request-stacks/get': () => {
      repository.openStack(3);
      repository.askToMerge(1);
      return client.ask('GET', `stacks/${repository.record.stacks[0]?.number}`);
    },
    'pulls/merge': () => {
      const sha = furnish();
      return client.ask('PUT', 'pulls/1/merge', { body: { sha, merge_method: 'squash', commit_title: 'All of it' } });
    },
    'pulls/merge-async': async () => {
      const sha = furnish();
      const body = { sha, merge_method: 'squash', merge_action: 'direct_merge', commit_title: 'All of it' };
      return [await client.ask('PUT', MERGE_ASYNC, { body }), await client.ask('PUT', MERGE_ASYNC, { body })];
    },
    'pulls/get-merge-async-result': async () => {
      furnish();
      repository.holdMerges();
      const asked = await client.ask('PUT', MERGE_ASYNC);
      const { uuid } = (asked.body as { details: { uuid: string } }).details;
      const pending = await client.ask('GET', `${MERGE_ASYNC}/${uuid}`);
      repository.letMerges();
      const merged = await client.ask('GET', `${MERGE_ASYNC}/${uuid}`);
      expect([pending.body, merged.body]).toMatchObject([{ status: 'pending' }, { status: 'merged' }]);
      return [asked, pending, merged];
    },
    'pulls/list-reviews': () => {
      furnish();
      return client.ask('GET', 'pulls/1/reviews');
    },
    'repos/get-combined-status-for-ref': () => client.ask('GET', `commits/${furnish()}/status?per_page=100`),
    'repos/list-commit-statuses-for-ref': () => client.ask('GET', `commits/${furnish()}/statuses`),
    'checks/list-for-ref': () => client.ask('GET', `commits/${furnish()}/check-runs?filter=latest&per_page=100`),
    'actions/list-workflow-runs-for-repo': () => client.ask('GET', `actions/runs?head_sha=${furnish()}&per_page=100`),
    'actions/list-jobs-for-workflow-run': async () => {
      furnish();
      const [run] = repository.record.workflowRuns;
      const answer = await client.ask('GET', `actions/runs/${run?.id}/jobs?filter=all&per_page=100`);
      expect((answer.body as { total_count: number }).total_count).toBeGreaterThan(1);
      return answer;
    },
    'actions/cancel-workflow-run': () => {
      furnish();
      const [run] = repository.record.workflowRuns;
      return client.ask('POST', `actions/runs/${run?.id}/cancel`);
    },
    'checks/list-annotations': () => {
      furnish();
      const [job] = repository.record.checkRuns;
      job!.annotations = ['The runner has received a shutdown signal.'];
      return client.ask('GET', `check-runs/${job!.id}/annotations?per_page=100`);
    },
    'repos/get-content': () =>
      Promise.all(['contents/README.md?ref=main', 'contents/sub'].map((path) => client.ask('GET', path))),
    'repos/compare-commits-with-basehead': () => client.ask('GET', `compare/main...${furnish()}`),
    'repos/create-commit-status': () => {
      const body = { state: 'pending', context: 'queue', description: 'waits', target_url: 'https://queue.example/1' };
      return client.ask('POST', `statuses/${furnish()}`, { body });
    },
    'checks/create': () => {
      const output = { title: 'Waits', summary: 'for its turn' };
      return client.ask('POST', 'check-runs', { body: { name: 'queue', head_sha: furnish(), output } });
    },
    'checks/update': async () => {
      const { body } = await client.ask('POST', 'check-runs', { body: { name: 'queue', head_sha: furnish() } });
      const done = { status: 'completed', conclusion: 'success' };
      return client.ask('PATCH', `check-runs/${(body as { id: number }).id}`, { body: done });
    },
    'issues/list-comments': () => {
      furnish();
      return client.ask('GET', 'issues/1/comments?per_page=100');
    },
    'issues/create-comment': () => {
      furnish();
      return client.ask('POST', 'issues/1/comments', { body: { body: 'hello' } });
    },
    'issues/update-comment': () => {
      furnish();
      const [comment] = repository.comments(1);
      return client.ask('PATCH', `issues/comments/${comment?.id ?? 0}`, { body: { body: 'better' } });
    },
    'issues/delete-comment': () => {
      furnish();
      const [comment] = repository.comments(1);
      return client.ask('DELETE', `issues/comments/${comment?.id ?? 0}`);
    },
    'issues/list-comments-for-repo': async () => {
      furnish();
      const since = encodeURIComponent(repository.comments(1)[0]!.createdAt.toISOString());
      const answer = await client.ask('GET', `issues/comments?sort=updated&direction=asc&since=${since}&per_page=100`);
      expect(answer.body).toMatchObject([{ body: 'looks good' }]);
      return answer;
    },
    'issues/list-events': async () => {
      furnish();
      repository.addLabel(1, 'merge me', 'grace');
      const answer = await client.ask('GET', 'issues/1/events?per_page=100');
      expect(answer.body).toMatchObject([{ event: 'labeled', label: { name: 'merge me' }, actor: { login: 'grace' } }]);
      return answer;
    },
    'issues/list-events-for-repo': async () => {
      furnish();
      repository.addLabel(1, 'merge me', 'grace');
      repository.removeLabel(1, 'merge me');
      const answer = await client.ask('GET', 'issues/events?per_page=100');
      const labelled = { issue: { number: 1 }, label: { name: 'merge me' } };
      expect(answer.body).toMatchObject([
        { event: 'unlabeled', ...labelled },
        { event: 'labeled', ...labelled },
      ]);
      return answer;
    },
    'issues/list-labels-on-issue': async () => {
      furnish();
      repository.addLabel(1, 'merge me');
      const answer = await client.ask('GET', 'issues/1/labels');
      expect(answer.body).toMatchObject([{ name: 'merge me' }]);
      return answer;
    },
    'issues/add-labels': async () => {
      furnish();
      repository.addLabel(1, 'merge me');
      const answer = await client.ask('POST', 'issues/1/labels', { body: { labels: ['other'] } });
      expect(answer.body).toMatchObject([{ name: 'merge me' }, { name: 'other' }]);
      return answer;
    },
    'issues/remove-label': () => {
      furnish();
      for (const label of ['merge me', 'other']) repository.addLabel(1, label);
      return client.ask('DELETE', 'issues/1/labels/Merge%20me');
    },
    'reactions/create-for-issue-comment': async () => {
      furnish();
      const path = `issues/comments/${repository.comments(1)[0]?.id ?? 0}/reactions`;
      const first = await client.ask('POST', path, { body: { content: '+1' } });
      expect(first.status).toBe(201);
      return [first, await client.ask('POST', path, { body: { content: '+1' } })];
    },
    'repos/get-collaborator-permission-level': () => {
      furnish();
      return client.ask('GET', 'collaborators/ada/permission');
    },
    'repos/merge': async () => {
      repository.setBranch('release', repository.tip('main'));
      const body = { base: 'release', head: furnish(), commit_message: 'Bring it' };
      return [await client.ask('POST', 'merges', { body }), await client.ask('POST', 'merges', { body })];
    },
  };

  it.each(OPERATIONS_IN_USE)('for the operation %s', async (operation) => {
    const answers = [await DRIVES[operation]()].flat();
    expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    expect(verdicts.some((verdict) => verdict.operation === operation)).toBe(true);
    for (const verdict of verdicts) expect(verdict).toMatchObject({ requestErrors: [], responseErrors: [] });
  });

  it('for every operation that Sluice uses; the mock has no route for another operation', () => {
    const described = contract.file.operations.map(({ id, method, path }) => `${id} ${method} ${path}`);
    expect(ROUTES.map(({ operation, method, path }) => `${operation} ${method} ${path}`).sort()).toEqual(
      described.sort(),
    );
  });

  it.each<[string, number, () => Promise<ClientAnswer>]>([
    ['a wrong token', 401, () => client.ask('GET', '', { authorization: 'token ghs_wrong' })],
    ['no token at all', 401, () => client.ask('GET', 'pulls', { authorization: null })],
    ['a repository that is not there', 404, () => client.ask('GET', '/repos/acme/nothing')],
    ['a pull request that is not there', 404, () => client.ask('GET', 'pulls/9')],
    ['a branch that is not there', 404, () => client.ask('GET', 'branches/nothing')],
    ['a file that is not there', 404, () => client.ask('GET', 'contents/nothing')],
    ['a commit that is not there', 404, () => client.ask('GET', `git/commits/${'1'.repeat(40)}`)],
    ['the statuses of a commit that is not there', 422, () => client.ask('GET', `commits/${'1'.repeat(40)}/status`)],
    [
      'a status for a commit that is not there',
      422,
      () => client.ask('POST', `statuses/${'1'.repeat(40)}`, { body: { state: 'success' } }),
    ],
    [
      'a pull request without commits',
      422,
      () => client.ask('POST', 'pulls', { body: { title: 'x', head: 'main', base: 'main' } }),
    ],
    ['an empty comment', 422, () => client.ask('POST', 'issues/1/comments', { body: { body: ' ' } })],
    ['a missing branch to delete', 422, () => client.ask('DELETE', 'git/refs/heads/nothing')],
    [
      'a branch that nobody may make',
      422,
      () => {
        repository.protect('queue/**', { kind: 'ruleset', restrictsCreation: true });
        const body = { ref: 'refs/heads/queue/1', sha: repository.tip('main') };
        return client.ask('POST', 'git/refs', { body });
      },
    ],
    [
      'a merge into a branch whose statuses it lacks',
      409,
      () => {
        repository.protect('main', { requiredContexts: ['ci', 'lint'] });
        return client.ask('POST', 'merges', { body: { base: 'main', head: 'change-1' } });
      },
    ],
    ['a head that has moved', 409, () => client.ask('PUT', 'pulls/1/merge', { body: { sha: repository.tip('main') } })],
    [
      'a merge that is not allowed',
      405,
      () => {
        repository.allowMergeMethods('squash');
        return client.ask('PUT', 'pulls/1/merge', { body: { merge_method: 'merge' } });
      },
    ],
    [
      'a merge in the background of what is closed',
      400,
      () => {
        repository.closePullRequest(1);
        return client.ask('PUT', MERGE_ASYNC);
      },
    ],
    [
      'a second merge in the background',
      409,
      async () => {
        repository.holdMerges();
        await client.ask('PUT', MERGE_ASYNC);
        return client.ask('PUT', MERGE_ASYNC, { body: { merge_method: 'rebase' } });
      },
    ],
    ['a merge in the background that nobody asked for', 404, () => client.ask('GET', `${MERGE_ASYNC}/1`)],
    [
      'a permission that was taken away',
      403,
      () => {
        github.setPermission('acme', 'pull_requests', 'read');
        return client.ask('PATCH', 'pulls/1', { body: { state: 'closed' } });
      },
    ],
    [
      'too many requests',
      403,
      async () => {
        await client.installationToken();
        github.limits.leave(0);
        return client.ask('GET', 'pulls');
      },
    ],
    [
      'too many requests at once',
      429,
      () => {
        github.faults.secondaryRateLimit('pulls/list', 60, { status: 429 });
        return client.ask('GET', 'pulls');
      },
    ],
    [
      'a bad gateway',
      502,
      () => {
        github.faults.badGateway('pulls/list');
        return client.ask('GET', 'pulls');
      },
    ],
  ])('and a request that GitHub refuses is refused by the mock: %s with %i', async (_, status, ask) => {
    furnish();
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(verdicts.at(-1)).toMatchObject({ status, requestErrors: [], responseErrors: [] });
  });
});
