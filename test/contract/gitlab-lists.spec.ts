import type { CodeHost } from '../../src/domain/code-host.port';
import { GitLabDouble } from '../support/gitlab/gitlab-double';
import { GitLabPlace } from '../support/gitlab/place';
import { connectToGitLab, GITLAB_WIDGETS as repository } from './gitlab-host';

const LENGTHS = [51, 101, 150];

/** In each test, the last entry decides the result. */
describe('lists of GitLab that are longer than a page', () => {
  let double: GitLabDouble;
  let place: GitLabPlace;
  let host: CodeHost;
  let release: () => void;

  beforeEach(async () => {
    double = await GitLabDouble.start();
    place = new GitLabPlace(double.createProject('acme/backend', 'widgets'));
    ({ host, release } = connectToGitLab(double));
    place.openPullRequest({ '1.txt': '1\n' }, { number: 1, by: 'ada' });
  });
  afterEach(async () => {
    await double.close();
    release();
  });

  const times = (count: number, act: (nth: number) => unknown): void =>
    Array.from({ length: count }).forEach((_, nth) => act(nth));

  it.each(LENGTHS)('are read up to a command after %i comments', async (length) => {
    times(length - 1, () => place.comment(1, 'thanks', 'ada'));
    place.comment(1, '/sluice merge', 'ada');
    const comments = await host.conversation!.people.commentsSince(repository, new Date(0));
    expect(comments.map(({ body }) => body)).toContain('/sluice merge');
    expect(comments).toHaveLength(length);
  });

  it.each(LENGTHS)('are read up to a job after %i other jobs of its pipeline', async (length) => {
    const head = place.headOf(1);
    times(length - 1, (nth) => place.setStatus(head, `job ${nth}`, 'success'));
    place.setStatus(head, 'unit', 'failure');
    const reports = await host.readStatuses(repository, head);
    expect(reports.map(({ name }) => name)).toContain('unit');
    expect(reports.length).toBeGreaterThanOrEqual(length);
  });
});
