import type { CodeHost } from '../../src/domain/code-host.port';
import type { GiteaDouble } from '../support/gitea/gitea-double';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { GITEA_WIDGETS as repository, startGitea } from './gitea-host';

const LENGTHS = [51, 101, 150];

/**
 * Real servers page these lists without a sign that more pages follow. In each test, the last entry decides the result.
 */
describe('lists of Gitea that are longer than a page', () => {
  let double: GiteaDouble;
  let place: GiteaRepositoryDouble;
  let host: CodeHost;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ double, place, host, close } = await startGitea());
    place.changePermission('grace', 'write');
    place.openPullRequest({ '1.txt': '1\n' }, { number: 1 });
  });
  afterEach(() => close());

  const times = (count: number, act: () => unknown): void => Array.from({ length: count }).forEach(act);

  it.each(LENGTHS)('are read up to a rejection after %i reviews', async (length) => {
    place.changePermission(double.bot, 'admin');
    place.protect('main', { approvals: 0, blocksOnRejection: true });
    times(length - 1, () => place.review(1, 'COMMENT'));
    place.review(1, 'REQUEST_CHANGES');
    const unmet = [{ words: 'the approval of grace, who requested changes' }];
    expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ unmet });
  });

  it.each(LENGTHS)('are read up to an approval after %i reviews', async (length) => {
    place.protect('main', { approvals: 1 });
    times(length - 1, () => place.review(1, 'COMMENT'));
    place.review(1, 'APPROVED');
    expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ approvedBy: ['grace'] });
  });

  it.each(LENGTHS)('are read up to a command after %i comments', async (length) => {
    times(length - 1, () => place.comment(1, 'thanks'));
    place.comment(1, '/sluice merge');
    const comments = await host.conversation!.people.commentsSince(repository, new Date(0));
    expect(comments.map(({ body }) => body)).toContain('/sluice merge');
    expect(comments).toHaveLength(length);
  });

  it.each(LENGTHS)('are read up to a status after %i other statuses', async (length) => {
    const head = place.headOf(1);
    let name = 0;
    times(length - 1, () => place.setStatus(head, `other ${++name}`, 'success'));
    place.setStatus(head, 'unit', 'failure');
    const reports = await host.readStatuses(repository, head);
    expect(reports).toHaveLength(length);
    expect(reports).toContainEqual(expect.objectContaining({ name: 'unit' }));
  });

  const TIMELINES: readonly (readonly [length: number, hidden: number])[] = [
    ...LENGTHS.map((length) => [length, 0] as const),
    ...[1, 51].flatMap((length) => [49, 50, 120].map((hidden) => [length, hidden] as const)),
  ];

  it.each(TIMELINES)(
    'are read up to a label after %i events of its timeline, which hides %i comments on code',
    async (length, hidden) => {
      place.pullRequest(1).commentsOnCode = hidden;
      times(Math.ceil((length - 1) / 2), () => {
        place.addLabel(1, 'other');
        place.removeLabel(1, 'other');
      });
      place.addLabel(1, 'queue', 'grace');
      const events = await host.conversation!.people.labelEventsOf(repository, 1);
      expect(events.at(-1)).toMatchObject({ label: 'queue', actor: 'grace' });
    },
  );

  it('that exceed the limit, as a timeline, do not stop the reading of other pull requests', async () => {
    place.openPullRequest({ '2.txt': '2\n' }, { number: 2 });
    place.pullRequest(1).commentsOnCode = 6_000;
    for (const number of [1, 2]) place.addLabel(number, 'queue', 'grace');
    await expect(host.conversation!.people.labelEventsOf(repository, 1)).rejects.toThrow('with more than 100 pages');
    const events = await host.conversation!.people.labelEventsSince(repository, new Date(0));
    expect(events.map(({ number }) => number)).toEqual([2]);
  });

  it('that exceed the limit of pages are unreadable, and are not cut', async () => {
    place.protect('main', { approvals: 1 });
    const page = Array.from({ length: 50 }, () => place.review(1, 'COMMENT'));
    expect(page).toHaveLength(50);
    const token = double.createToken();
    const url = `${double.apiUrl}/repos/acme/widgets/pulls/1/reviews?limit=50`;
    const answer: unknown = await (await fetch(url, { headers: { authorization: `token ${token}` } })).json();
    double.faults.answerBody('repoListPullReviews', 200, answer, { times: 100 });
    await expect(host.readPullRequest(repository, 1, 'main')).rejects.toMatchObject({
      name: 'HostUnavailable',
      message: 'gitea.example described the list of pulls/1/reviews with more than 100 pages',
    });
  });
});
