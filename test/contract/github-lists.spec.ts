import type { CodeHost } from '../../src/domain/code-host.port';
import { GitHubDouble } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { connectTo, GITHUB_WIDGETS as repository } from './github-host';

const LENGTHS = [101, 301];
/** The adapter reads at most 30 pages of 100. */
const TOO_MANY = 3_001;

/** In each test, the last entry decides the result. */
describe('lists of GitHub that are longer than a page', () => {
  let double: GitHubDouble;
  let place: RepositoryDouble;
  let host: CodeHost;
  let release: () => void;

  beforeEach(async () => {
    double = await GitHubDouble.start();
    place = double.createRepository('acme', 'widgets');
    place.answerUnknown(0);
    ({ host, release } = connectTo(double));
    place.changePermission('grace', 'write');
    place.openPullRequest({ '1.txt': '1\n' }, { number: 1 });
  });
  afterEach(async () => {
    await double.close();
    release();
  });

  const times = (count: number, act: (nth: number) => unknown): void =>
    Array.from({ length: count }).forEach((_, nth) => act(nth));

  it.each(LENGTHS)('are read up to a rejection after %i reviews', async (length) => {
    place.protect('main', { kind: 'ruleset', requiredApprovals: 1 });
    times(length - 1, () => place.review(1, 'COMMENTED'));
    place.review(1, 'CHANGES_REQUESTED');
    const { unmet } = (await host.readPullRequest(repository, 1, 'main'))!;
    expect(unmet).toContainEqual({ words: 'the approval of grace, who requested changes' });
  });

  it.each(LENGTHS)('are read up to a status and a check run after %i other statuses and check runs', async (length) => {
    const head = place.headOf(1);
    times(length - 1, (nth) => place.setStatus(head, `status ${nth}`, 'success'));
    times(length - 1, (nth) => place.setCheckRun(head, `check ${nth}`, 'success'));
    place.setStatus(head, 'unit', 'failure');
    place.setCheckRun(head, 'e2e', 'failure');
    const reports = await host.readStatuses(repository, head);
    expect(reports).toHaveLength(2 * length);
    const names = reports.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['unit', 'e2e']));
  });

  it.each(LENGTHS)('are read up to a command after %i comments', async (length) => {
    times(length - 1, () => place.comment(1, 'thanks'));
    place.comment(1, '/sluice merge');
    const comments = await host.conversation!.people.commentsSince(repository, new Date(0));
    expect(comments).toHaveLength(length);
    expect(comments.at(-1)?.body).toBe('/sluice merge');
  });

  it.each(LENGTHS)('are read up to a label after %i events', async (length) => {
    times(Math.ceil((length - 1) / 2), () => {
      place.addLabel(1, 'other');
      place.removeLabel(1, 'other');
    });
    place.addLabel(1, 'queue', 'grace');
    const events = await host.conversation!.people.labelEventsOf(repository, 1);
    expect(events.at(-1)).toMatchObject({ label: 'queue', actor: 'grace' });
  });

  it('that are too long are continued at the next read, from the newest comment that was read', async () => {
    place.comment(1, 'first');
    const { comments } = place.record;
    const [first] = comments;
    const later = Array.from({ length: TOO_MANY }, (_, i) => {
      const at = new Date(first!.createdAt.getTime() + (i + 1) * 1_000);
      return {
        ...first!,
        id: first!.id + i + 1,
        createdAt: at,
        updatedAt: at,
        body: i < TOO_MANY - 1 ? 'thanks' : '/sluice merge',
      };
    });
    comments.push(...later);
    const heard = (since: Date) => host.conversation!.people.commentsSince(repository, since);
    const inOneLook = await heard(new Date(0));
    expect(inOneLook).toHaveLength(TOO_MANY - 1);
    const inTheNext = await heard(inOneLook.at(-1)!.changedAt);
    expect(inTheNext.map(({ body }) => body)).toEqual(['thanks', 'thanks', '/sluice merge']);
  });

  it('that exceed the limit of entries are unreadable, and are not cut', async () => {
    place.protect('main', { kind: 'ruleset', requiredApprovals: 1 });
    place.review(1, 'COMMENTED');
    const [review] = place.record.reviews;
    place.record.reviews.push(...Array.from({ length: TOO_MANY - 1 }, () => review!));
    await expect(host.readPullRequest(repository, 1, 'main')).rejects.toMatchObject({
      name: 'HostUnavailable',
      message: expect.stringContaining('with more than 3000 entries') as string,
    });
  });
});
