import { Logger } from '@nestjs/common';
import type { PullRequestConversation } from '../../src/domain/code-host.port';
import { GitHubClient } from '../support/github/github-client';
import { GitHubDouble } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { ManualClock } from '../support/manual-clock';
import { connectTo, GITHUB_WIDGETS as repository, type GitHubSettingsOfTest } from './github-host';

const MARKER = '<!-- sluice-merge-queue -->';
const BRANCH = 'sluice-merge/pr-1/run';
const TESTING = { branch: BRANCH, targetBranch: 'main', title: 'Testing #1', body: 'Because.' };

describe('the conversation on GitHub', () => {
  let double: GitHubDouble;
  let place: RepositoryDouble;
  let page: PullRequestConversation;
  let connection: ReturnType<typeof connectTo>;
  let head: string;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  beforeEach(async () => {
    double = await GitHubDouble.start();
    place = double.createRepository('acme', 'widgets');
    ({
      head: { sha: head },
    } = place.openPullRequest({ '1.txt': '1\n' }, { number: 1, by: 'ada' }));
    connect();
  });

  afterEach(async () => {
    await double.close();
    connection.release();
  });

  const connect = (access: GitHubSettingsOfTest['access'] = 'app'): void => {
    connection = connectTo(double, { access });
    page = connection.host.conversation!;
  };
  const bodies = (): readonly string[] => place.comments(1).map(({ body }) => body);
  const asked = (operation: string): number => double.requests.byOperation()[operation] ?? 0;
  const testing = () => [...place.record.pulls.values()].filter((pull) => pull.head.ref === BRANCH);

  it('is one comment, edited in place by the process that wrote it and by processes that have to find it', async () => {
    await page.ensureComment(repository, 1, MARKER, `${MARKER} waiting`);
    await page.ensureComment(repository, 1, MARKER, `${MARKER} testing`);
    expect([bodies(), asked('issues/list-comments')]).toEqual([[`${MARKER} testing`], 1]);
    connection.release();
    connect();
    await page.ensureComment(repository, 1, MARKER, `${MARKER} merged`);
    expect(bodies()).toEqual([`${MARKER} merged`]);
  });

  it('is one comment although the answer to the first attempt was lost', async () => {
    double.faults.loseAnswer('issues/create-comment');
    await expect(page.ensureComment(repository, 1, MARKER, `${MARKER} waiting`)).rejects.toMatchObject({
      name: 'HostUnavailable',
    });
    await page.ensureComment(repository, 1, MARKER, `${MARKER} waiting`);
    expect(bodies()).toEqual([`${MARKER} waiting`]);
  });

  it("ignores a copied marker in somebody else's comment, and writes a deleted comment again", async () => {
    place.comment(1, `${MARKER} not yours`, 'ada');
    await page.ensureComment(repository, 1, MARKER, `${MARKER} waiting`);
    expect(bodies()).toEqual([`${MARKER} not yours`, `${MARKER} waiting`]);
    place.record.comments.pop();
    await page.ensureComment(repository, 1, MARKER, `${MARKER} testing`);
    expect(bodies()).toEqual([`${MARKER} not yours`, `${MARKER} testing`]);
  });

  it('finds its comment by the login of a token, for which it asks GitHub once', async () => {
    connection.release();
    place.changePermission('grace', 'write');
    connect({ token: double.createUserToken('grace') });
    place.comment(1, `${MARKER} not yours`, 'ada');
    await page.ensureComment(repository, 1, MARKER, `${MARKER} waiting`);
    await page.reply(repository, 1, '<!-- answer -->', '<!-- answer --> no');
    expect(bodies()).toEqual([`${MARKER} not yours`, `${MARKER} waiting`, '<!-- answer --> no']);
    expect([await page.people.isOwnLogin('Grace'), await page.people.isOwnLogin('ada')]).toEqual([true, false]);
    expect(asked('users/get-authenticated')).toBe(1);
  });

  it('finds its comment by the marker alone if the token belongs to no person', async () => {
    const client = new GitHubClient(double, 'acme/widgets');
    connection.release();
    connect({ token: await client.installationToken() });
    await page.ensureComment(repository, 1, MARKER, `${MARKER} waiting`);
    connection.release();
    connect({ token: await client.installationToken() });
    await page.ensureComment(repository, 1, MARKER, `${MARKER} testing`);
    expect(bodies()).toEqual([`${MARKER} testing`]);
    expect(await page.people.isOwnLogin('ada')).toBeNull();
    expect(asked('users/get-authenticated')).toBe(2);
  });

  it('goes on if GitHub refuses a comment or a status permanently', async () => {
    double.faults.answer('issues/create-comment', 403, 'Unable to create comment because issue is locked.');
    await page.ensureComment(repository, 1, MARKER, `${MARKER} waiting`);
    expect(bodies()).toEqual([]);
    double.faults.answer(
      'repos/create-commit-status',
      422,
      'This SHA and context has reached the maximum number of statuses.',
    );
    await page.showStatus(repository, head, { name: 'Sluice', state: 'pending', description: 'waits', url: null });
    expect(place.status(head, 'Sluice')).toBeUndefined();
  });

  it('shows a status at the head', async () => {
    const shown = { name: 'Sluice Merge Queue (main)', description: 'waits' } as const;
    await page.showStatus(repository, head, { ...shown, state: 'pending', url: null });
    await page.showStatus(repository, head, { ...shown, state: 'success', url: 'https://sluice.example/1' });
    expect(place.status(head, shown.name)).toMatchObject({ state: 'success', targetUrl: 'https://sluice.example/1' });
  });

  it('opens one draft for a testing branch, for any number of requests, until it is closed', async () => {
    place.setBranch(BRANCH, head);
    await page.openTestingPullRequest(repository, TESTING);
    await page.openTestingPullRequest(repository, TESTING);
    expect(testing()).toMatchObject([{ state: 'open', draft: true, title: 'Testing #1' }]);
    await page.closeTestingPullRequest(repository, BRANCH);
    await page.closeTestingPullRequest(repository, BRANCH);
    expect(testing()).toMatchObject([{ state: 'closed' }]);
  });

  it('searches for an open draft only in a process that did not open it', async () => {
    place.setBranch(BRANCH, head);
    await page.openTestingPullRequest(repository, TESTING);
    await page.closeTestingPullRequest(repository, BRANCH);
    expect([testing()[0]?.state, asked('pulls/list')]).toEqual(['closed', 0]);
    await page.openTestingPullRequest(repository, TESTING);
    connection.release();
    connect();
    await page.closeTestingPullRequest(repository, BRANCH);
    expect(testing()).toMatchObject([{ state: 'closed' }, { state: 'closed' }]);
  });

  it('opens no draft on a repository without drafts, and reports a refusal', async () => {
    place.setBranch(BRANCH, head);
    double.faults.answer('pulls/create', 422, 'Draft pull requests are not supported in this repository.');
    await page.openTestingPullRequest(repository, TESTING);
    expect(testing()).toMatchObject([{ state: 'open', draft: false }]);
    await page.closeTestingPullRequest(repository, BRANCH);
    double.faults.answer('pulls/create', 403, 'Resource not accessible by integration');
    await expect(page.openTestingPullRequest(repository, TESTING)).rejects.toMatchObject({ name: 'HostUnavailable' });
  });

  it('answers a command once, by a reaction and a reply', async () => {
    const { id } = place.comment(1, '/sluice merge', 'ada');
    await page.react(repository, 1, String(id), '+1');
    await page.react(repository, 1, String(id), '+1');
    expect(place.record.comments[0]?.reactions).toMatchObject([{ content: '+1' }]);
    await page.reply(repository, 1, '<!-- answer -->', '<!-- answer --> no');
    connect();
    await page.reply(repository, 1, '<!-- answer -->', '<!-- answer --> no');
    expect(bodies()).toEqual(['/sluice merge', '<!-- answer --> no']);
  });

  it('removes a label, and accepts that the label is already gone', async () => {
    place.addLabel(1, 'merge me');
    await page.removeLabel(repository, 1, 'Merge me');
    await page.removeLabel(repository, 1, 'Merge me');
    expect(place.labels(1)).toEqual([]);
  });

  it('shows one label of its own for the state, and leaves other labels alone', async () => {
    const prefix = 'sluice: ';
    place.addLabel(1, 'bug');
    place.addLabel(1, 'Sluice: pending');
    await page.showStateLabel?.(repository, 1, { prefix, name: 'sluice: testing' });
    await page.showStateLabel?.(repository, 1, { prefix, name: 'sluice: testing' });
    expect(place.labels(1)).toEqual(['bug', 'sluice: testing']);
    expect(asked('issues/add-labels')).toBe(1);
    await page.showStateLabel?.(repository, 1, { prefix, name: null });
    expect(place.labels(1)).toEqual(['bug']);
  });

  it('reads comments and label events of people, without requests that count while nothing happens', async () => {
    const since = new Date();
    place.comment(1, '/sluice merge', 'grace');
    place.addLabel(1, 'merge me', 'renovate[bot]');
    place.removeLabel(1, 'merge me', 'grace');
    const comments = await page.people.commentsSince(repository, since);
    expect(comments).toMatchObject([{ number: 1, author: 'grace', isBot: false, body: '/sluice merge' }]);
    const events = [
      { number: 1, type: 'set', label: 'merge me', actor: 'renovate[bot]', isBot: true },
      { number: 1, type: 'removed', label: 'merge me', actor: 'grace', isBot: false },
    ];
    expect(await page.people.labelEventsSince(repository, since)).toMatchObject(events);
    expect(await page.people.labelEventsOf(repository, 1)).toMatchObject(events);
    double.requests.clear();
    expect(await page.people.commentsSince(repository, since)).toEqual(comments);
    expect(await page.people.labelEventsSince(repository, since)).toMatchObject(events);
    expect(double.requests.all.map(({ status }) => status)).toEqual([304, 304]);
    const later = new Date(since.getTime() + 60_000);
    expect(await page.people.commentsSince(repository, later)).toEqual([]);
    expect(await page.people.labelEventsSince(repository, later)).toEqual([]);
  });

  it('reads as many pages of label events as needed', async () => {
    for (let times = 0; times < 60; times++) {
      place.addLabel(1, 'merge me', 'grace');
      place.removeLabel(1, 'merge me', 'grace');
    }
    double.requests.clear();
    expect(await page.people.labelEventsSince(repository, new Date(0))).toHaveLength(120);
    expect(await page.people.labelEventsOf(repository, 1)).toHaveLength(120);
    expect(await page.people.labelEventsSince(repository, new Date(Date.now() + 60_000))).toEqual([]);
    expect([asked('issues/list-events-for-repo'), asked('issues/list-events')]).toEqual([3, 2]);
  });

  it("stops comments before GitHub's rate limit, but not statuses and merges", async () => {
    connection.release();
    const clock = new ManualClock(new Date());
    const minuteLater = new Date(clock.now().getTime() + 60_000);
    connection = connectTo(double, { clock });
    page = connection.host.conversation!;
    const outcomes: unknown[] = [];
    for (let n = 0; n < 70; n++)
      outcomes.push(await page.reply(repository, 1, `<!-- ${n} -->`, `<!-- ${n} -->`).catch((error: unknown) => error));
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(60);
    expect(outcomes.at(-1)).toMatchObject({ kind: 'rate_limited', retryAt: minuteLater });
    await page.showStatus(repository, head, { name: 'Sluice', state: 'pending', description: 'waits', url: null });
    expect(place.status(head, 'Sluice')).toBeDefined();
    place.setBranch(BRANCH, head);
    await page.openTestingPullRequest(repository, TESTING);
    expect(testing()).toHaveLength(1);
    clock.advance(60_000);
    await page.reply(repository, 1, '<!-- later -->', '<!-- later -->');
    expect(bodies()).toHaveLength(61);
  });

  it('reads the permissions of people', async () => {
    place.changePermission('grace', 'write');
    expect(await page.people.permissionOf(repository, 'grace')).toBe('write');
    expect(await page.people.permissionOf(repository, 'nobody-knows')).toBe('none');
  });

  it('reads the permissions of bots: the permissions that their public app requests from owners', async () => {
    double.publishApp('renovate', { contents: 'write', pull_requests: 'write' });
    double.publishApp('reviewer', { contents: 'read', pull_requests: 'write' });
    double.publishApp('greeter', { issues: 'write' });
    const permissions = ['renovate', 'reviewer', 'greeter', 'private-app'].map((slug) =>
      page.people.permissionOf(repository, `${slug}[bot]`),
    );
    expect(await Promise.all(permissions)).toEqual(['write', 'read', 'none', 'none']);
  });
});
