import { createHmac } from 'node:crypto';
import type { HostConfig } from '../../src/platform/config/config';
import { createRepository } from '../../src/platform/auth/repositories';
import { GitHubDouble } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import type { WebhookDelivery } from '../support/github/webhooks';
import { START, World } from '../support/world';
import { GITHUB_HOST, checkedByContract } from '../contract/github-host';

const SECRET = 'a secret of the webhook';
const REPO = { host: GITHUB_HOST, owner: 'acme', name: 'shop' };

describe('deliveries of GitHub', () => {
  let world: World;
  let github: GitHubDouble;
  let repository: RepositoryDouble;
  let exchanges: ReturnType<typeof checkedByContract>;

  beforeEach(async () => {
    exchanges = checkedByContract();
    github = await GitHubDouble.start({
      now: () => world?.clock.now() ?? START,
      onExchange: exchanges.onExchange,
      enterpriseHost: GITHUB_HOST,
    });
    // The name has capital letters, because the service looks up repositories without regard to letter case.
    repository = github.createRepository('Acme', 'Shop');
    repository.answerUnknown(0);
    const { apiUrl, gitUrl, appId, privateKey } = github;
    const settings = { apiUrl, gitUrl, appId, privateKey, webhookSecret: SECRET };
    const hosts: HostConfig[] = [
      { host: GITHUB_HOST, kind: 'github', pollSeconds: 60, settings },
      { host: 'memory.example', kind: 'memory', pollSeconds: 5, settings: {} },
    ];
    world = await World.create({ host: 'memory', settings: { hosts } });
    await createRepository(world.prisma, { organizationSlug: 'acme', ...REPO }, world.clock.now(), [GITHUB_HOST]);
    await world.api.mustPost('createQueue', {
      ...{ repo: REPO, targetBranch: 'main', requiredStatuses: ['ci'], mergeMethod: 'MERGE_COMMIT' },
      ...{ commentsEnabled: false, statusCheckEnabled: false, createPrsForTestingBranches: false },
    });
    github.webhooks.deliverTo(`${world.url}/webhooks/github`, SECRET);
  });
  afterEach(async () => {
    await github.close();
    await world.close();
    exchanges.assertFits();
  });

  /** Reads all deliveries and carries out all tasks. */
  async function settles(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      await github.webhooks.settled();
      await world.settles();
    }
  }

  /** Like `settles`, but also polls GitHub for changes without a delivery. */
  async function settlesByLooking(): Promise<void> {
    await world.settles();
    await world.advance(1);
    await world.looksAtHost();
    await settles();
  }

  const ask = (operation: string, number: number) =>
    world.api.mustPost(operation, { repo: REPO, targetBranch: 'main', pr: { number } });
  const stateOf = async (number: number) => (await ask('getSubmittedPullRequest', number)).state;
  const testedCommit = async (number: number) =>
    String((await ask('getMergeQueueTestingDetails', number)).testBranchSha);

  async function submit(number: number): Promise<void> {
    await ask('submitPullRequest', number);
    await settles();
  }

  function open(number: number): void {
    repository.openPullRequest({ [`${number}.txt`]: `${number}\n` }, { number });
  }

  it('merge a pull request when its check has passed on the testing branch, and GitHub shows it as merged', async () => {
    open(1);
    await submit(1);
    expect(await stateOf(1)).toBe('testing');
    const tested = await testedCommit(1);
    expect(repository.branches()).toContainEqual(expect.stringMatching(/^sluice-merge\/pr-1\//));
    repository.setCheckRun(tested, 'ci', 'in_progress');
    await settles();
    expect(await stateOf(1)).toBe('testing');
    repository.setCheckRun(tested, 'ci', 'success');
    await settles();
    expect(await stateOf(1)).toBe('merged');
    expect(repository.tip('main')).toBe(tested);
    expect(repository.pullRequest(1).merged?.commit).toBe(tested);
    expect(repository.branches().filter((name) => name.startsWith('sluice-'))).toEqual([]);
  });

  it('report commit statuses as well as check runs, and failures as failures', async () => {
    open(1);
    await submit(1);
    repository.setStatus(await testedCommit(1), 'ci', 'failure');
    await settles();
    expect(await stateOf(1)).toBe('failed');
  });

  it('with a result for the head of the pull request are not used as a result of the test run', async () => {
    open(1);
    await submit(1);
    repository.setStatus(repository.pullRequest(1).head.sha, 'ci', 'success');
    await settles();
    expect(await stateOf(1)).toBe('testing');
  });

  it('cause another test after a push to the target, and cancel a pull request after a push to its head', async () => {
    open(1);
    await submit(1);
    const before = await testedCommit(1);
    const past = repository.pushToBranch('main', { 'past.txt': 'the queue\n' });
    await settles();
    const after = await testedCommit(1);
    expect(after).not.toBe(before);
    expect(repository.record.world.inBare('rev-parse', `${after}^1`)).toBe(past);
    repository.push(1, { '1.txt': 'another\n' });
    await settles();
    expect(await stateOf(1)).toBe('cancelled');
  });

  describe('a lost delivery of GitHub', () => {
    beforeEach(() => {
      github.webhooks.fateOf = () => 'dropped';
    });

    it('is found by polling: statuses and check runs', async () => {
      await world.api.mustPost('updateQueue', { repo: REPO, targetBranch: 'main', requiredStatuses: ['ci', 'lint'] });
      open(1);
      await submit(1);
      const tested = await testedCommit(1);
      repository.setStatus(tested, 'ci', 'success');
      repository.setCheckRun(tested, 'lint', 'success');
      await settles();
      expect(await stateOf(1)).toBe('testing');
      await settlesByLooking();
      expect(await stateOf(1)).toBe('merged');
    });

    it('is found by polling only once, however often the service polls', async () => {
      open(1);
      await submit(1);
      repository.setStatus(await testedCommit(1), 'ci', 'pending');
      for (let look = 0; look < 3; look++) await settlesByLooking();
      expect(await world.prisma.inboxDelivery.count({ where: { type: 'status_reported' } })).toBe(1);
    });

    it('is found by polling: a draft that became ready, and a changed base branch', async () => {
      repository.openPullRequest({ 'a.txt': 'a\n' }, { number: 1, draft: true });
      repository.setBranch('stable', repository.tip('main'));
      open(2);
      await submit(1);
      await submit(2);
      expect([await stateOf(1), await stateOf(2)]).toEqual(['not_ready', 'testing']);
      repository.markReady(1);
      repository.changeBase(2, 'stable');
      await settlesByLooking();
      expect([await stateOf(1), await stateOf(2)]).toEqual(['testing', 'cancelled']);
    });

    it('is found by polling: a closed pull request, and a pull request that was merged manually', async () => {
      open(1);
      open(2);
      await submit(1);
      await submit(2);
      repository.closePullRequest(1);
      repository.merge(2);
      await settlesByLooking();
      expect([await stateOf(1), await stateOf(2)]).toEqual(['cancelled', 'merged']);
    });
  });

  describe('an event of GitHub during an outage', () => {
    /** A pull request passes its tests. The service learns of this only after `happen`. */
    async function passesAfter(happen: () => void): Promise<void> {
      open(1);
      await submit(1);
      happen();
      repository.setStatus(await testedCommit(1), 'ci', 'success');
      await settles();
    }

    async function wait(minutes: number): Promise<void> {
      for (let minute = 0; minute < minutes; minute += 10) await world.advance(10);
      await settles();
    }

    it('waits through an hour of 502 answers; then the pull request merges', async () => {
      await passesAfter(() => github.faults.goDown());
      await wait(60);
      expect(await stateOf(1)).toBe('tests_passed');
      github.faults.recover();
      await wait(30);
      expect(await stateOf(1)).toBe('merged');
    });

    it('waits while a permission is revoked; the pull request merges once the permission is granted again', async () => {
      await passesAfter(() => github.setPermission('Acme', 'contents', 'none'));
      await wait(30);
      expect(await stateOf(1)).toBe('tests_passed');
      github.setPermission('Acme', 'contents', 'write');
      await wait(30);
      expect(await stateOf(1)).toBe('merged');
    });

    it('is processed although every token was revoked meanwhile', async () => {
      await passesAfter(() => github.revokeTokens());
      expect(await stateOf(1)).toBe('merged');
    });
  });

  it('do no harm when each of them comes twice and in any order', async () => {
    open(1);
    open(2);
    await submit(1);
    await submit(2);
    github.webhooks.fateOf = () => 'held';
    const reverseAndDouble = (held: readonly WebhookDelivery[]) => [...held.toReversed(), ...held];
    for (const number of [1, 2]) {
      const tested = await testedCommit(number);
      repository.setCheckRun(tested, 'ci', 'in_progress');
      repository.setCheckRun(tested, 'ci', 'success');
      github.webhooks.release(reverseAndDouble);
      await settles();
    }
    github.webhooks.release(reverseAndDouble);
    await settles();
    expect([await stateOf(1), await stateOf(2)]).toEqual(['merged', 'merged']);
    expect(repository.record.world.inBare('rev-list', '--count', '--first-parent', 'main')).toBe('3');
  });

  describe('a delivery at the webhook', () => {
    const BODY = JSON.stringify({ ref: 'refs/heads/main', repository: { full_name: 'acme/shop' } });
    const signed = (body: string, secret = SECRET) =>
      `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

    async function deliver(body: string, headers: Record<string, string> = {}, path = ''): Promise<number> {
      const usual = {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': 'delivery 1',
        'x-github-enterprise-host': GITHUB_HOST,
        'x-hub-signature-256': signed(body),
      };
      const answer = await fetch(`${world.url}/webhooks/github${path}`, {
        method: 'POST',
        body,
        headers: { ...usual, ...headers },
      });
      return answer.status;
    }

    const stored = () =>
      world.prisma.inboxDelivery.findMany({
        where: { deliveryId: { startsWith: 'delivery' } },
        orderBy: { deliveryId: 'asc' },
      });

    it('is stored before GitHub gets an answer, and once per delivery id', async () => {
      expect(await deliver(BODY)).toBe(202);
      expect(await deliver(BODY)).toBe(202);
      expect(await stored()).toMatchObject([{ host: GITHUB_HOST, type: 'branch_changed', processedAt: null }]);
    });

    it.each([
      ['with another secret', { 'x-hub-signature-256': signed(BODY, 'another') }],
      ['of another body', { 'x-hub-signature-256': signed(`${BODY} `) }],
      ['without the name of its hash', { 'x-hub-signature-256': signed(BODY).replace('sha256=', '') }],
      ['that is none', { 'x-hub-signature-256': 'sha256=' }],
      ['by the old hash', { 'x-hub-signature-256': `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}` }],
    ])('is refused under a signature %s', async (_, headers) => {
      expect(await deliver(BODY, headers)).toBe(401);
      expect(await stored()).toEqual([]);
    });

    it('is refused without a signature, and for a host that is not configured or not GitHub', async () => {
      expect(await deliver(BODY, { 'x-hub-signature-256': '' })).toBe(401);
      expect(await deliver(BODY, { 'x-github-enterprise-host': 'another.example' })).toBe(401);
      expect(await deliver(BODY, { 'x-github-enterprise-host': 'memory.example' })).toBe(401);
      expect(await stored()).toEqual([]);
    });

    it.each([`/${GITHUB_HOST}`, `/${GITHUB_HOST.toUpperCase()}`])(
      'is assigned to the host in the path %s, whatever its headers say',
      async (path) => {
        const headers = { 'x-github-enterprise-host': 'another.example' };
        expect(await deliver(BODY, headers, path)).toBe(202);
        expect(await stored()).toMatchObject([{ host: GITHUB_HOST }]);
        expect(await deliver(BODY, { 'x-hub-signature-256': signed(BODY, 'another') }, path)).toBe(401);
      },
    );

    it.each(['/another.example', '/memory.example', `/${GITHUB_HOST}/x`, '/%2F'])(
      'is answered with 404 at %s',
      async (path) => {
        expect(await deliver(BODY, {}, path)).toBe(path.endsWith('/x') ? 401 : 404);
        expect(await stored()).toEqual([]);
      },
    );

    it.each(['{', '[]', '"text"', 'payload=%7B%7D', ''])('is refused as unreadable with the body %j', async (body) => {
      expect(await deliver(body)).toBe(400);
    });

    it('is refused as unreadable without the headers that name its id or its event', async () => {
      expect(await deliver(BODY, { 'x-github-delivery': '' })).toBe(400);
      expect(await deliver(BODY, { 'x-github-event': '' })).toBe(400);
    });

    it.each(['merge_group', 'check_suite', 'installation', 'installation_repositories', 'ping', 'star', 'constructor'])(
      'is accepted without effect if its event is %s',
      async (event) => {
        expect(await deliver(BODY, { 'x-github-event': event })).toBe(202);
        expect(await stored()).toEqual([]);
      },
    );

    it.each([
      ['of a repository that nobody registered', { ref: 'refs/heads/main', repository: { full_name: 'acme/other' } }],
      ['of a tag', { ref: 'refs/tags/v1', repository: { full_name: 'acme/shop' } }],
      ['without what is needed', { repository: { full_name: 'acme/shop' } }],
      ['without a repository', {}],
    ])('is accepted without effect %s', async (_, payload) => {
      expect(await deliver(JSON.stringify(payload))).toBe(202);
      expect(await stored()).toEqual([]);
    });

    it('is an event for a new comment on a pull request, but not on an issue', async () => {
      const comment = (action: string, issue: object) =>
        JSON.stringify({
          action,
          issue: { number: 7, ...issue },
          comment: { id: 12, body: 'hello', user: { login: 'ada', type: 'User' } },
          repository: { full_name: 'acme/shop' },
        });
      const asComment = (id: string) => ({ 'x-github-event': 'issue_comment', 'x-github-delivery': id });
      await deliver(comment('created', {}), asComment('delivery 2'));
      await deliver(comment('edited', { pull_request: {} }), asComment('delivery 3'));
      await deliver(comment('created', { pull_request: {} }), asComment('delivery 4'));
      const told = { type: 'comment_made', number: 7, commentId: '12', author: 'ada', isBot: false, body: 'hello' };
      expect(await stored()).toMatchObject([{ deliveryId: 'delivery 4', payload: told }]);
    });

    it('is an event for a ticked box, with the person who ticked it', async () => {
      const edited = (body: string, changes: object = { body: { from: '- [ ] box' } }) =>
        JSON.stringify({
          ...{ action: 'edited', issue: { number: 7, pull_request: {} }, changes },
          comment: { id: 12, body, user: { login: 'sluice[bot]', type: 'Bot' }, updated_at: '2026-11-20T12:00:00Z' },
          sender: { login: 'ada', type: 'User' },
          repository: { full_name: 'acme/shop' },
        });
      const asComment = (id: string) => ({ 'x-github-event': 'issue_comment', 'x-github-delivery': id });
      await deliver(edited('- [ ] box'), asComment('delivery 2'));
      await deliver(edited('- [x] box', {}), asComment('delivery 3'));
      await deliver(edited('- [x] box'), asComment('delivery 4'));
      const told = { type: 'comment_edited', number: 7, commentId: '12', author: 'sluice[bot]', editor: 'ada' };
      const payload = { ...told, isBot: false, before: '- [ ] box', body: '- [x] box', editedAt: START.getTime() };
      expect(await stored()).toMatchObject([{ deliveryId: 'delivery 4', payload }]);
    });

    it('is an event for an added label, an opened pull request and a changed base branch', async () => {
      const ends = { head: { ref: 'topic' }, base: { ref: 'main' } };
      const pullRequest = { number: 7, state: 'open', updated_at: '2026-11-20T12:00:00Z', ...ends };
      const happened = (action: string, more: object = {}) =>
        JSON.stringify({ action, pull_request: pullRequest, ...more, repository: { full_name: 'acme/shop' } });
      const asPull = (id: string) => ({ 'x-github-event': 'pull_request', 'x-github-delivery': id });
      await deliver(happened('unlabeled', { label: { name: 'merge me' } }), asPull('delivery 1'));
      await deliver(happened('labeled', { label: { name: 'merge me' } }), asPull('delivery 2'));
      await deliver(happened('opened'), asPull('delivery 3'));
      await deliver(happened('edited', { changes: { title: {} } }), asPull('delivery 4'));
      await deliver(happened('edited', { changes: { base: {} } }), asPull('delivery 5'));
      const opened = { type: 'pull_request_opened', base: 'main', headBranch: 'topic', openedAt: START.getTime() };
      expect((await stored()).map(({ deliveryId, payload }) => [deliveryId, payload])).toMatchObject([
        ['delivery 2', { type: 'label_set', number: 7, label: 'merge me' }],
        ['delivery 3', { type: 'pull_request_changed' }],
        ['delivery 3/1', opened],
        ['delivery 4', { type: 'pull_request_changed' }],
        ['delivery 5', { type: 'pull_request_changed' }],
        ['delivery 5/1', opened],
      ]);
    });
  });
});
