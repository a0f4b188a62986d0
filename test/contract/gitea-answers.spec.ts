import type { CodeHost } from '../../src/domain/code-host.port';
import { GiteaDouble } from '../support/gitea/gitea-double';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { connectToGitea, GITEA_WIDGETS as repository } from './gitea-host';

/** A copy of the answer in which every object lacks the field. */
function without(body: unknown, field: string): unknown {
  if (Array.isArray(body)) return body.map((one) => without(one, field));
  if (typeof body !== 'object' || body === null) return body;
  const fields = Object.entries(body).filter(([name]) => name !== field);
  return Object.fromEntries(fields.map(([name, value]) => [name, without(value, field)]));
}

describe('answers of Gitea that lack a field', () => {
  let double: GiteaDouble;
  let place: GiteaRepositoryDouble;
  let host: CodeHost;
  let release: () => void;
  let head: string;

  beforeAll(async () => {
    double = await GiteaDouble.start();
    place = double.createRepository('acme', 'widgets');
    ({ host, release } = connectToGitea(double));
    place.changePermission('grace', 'write');
    place.protect('main', { approvals: 1, contexts: ['ci'] });
    ({ sha: head } = place.openPullRequest({ '1.txt': '1\n' }, { number: 1 }).head);
    place.setStatus(head, 'ci', 'success');
    place.review(1, 'APPROVED');
  });
  afterAll(async () => {
    await double.close();
    release();
  });
  afterEach(() => double.faults.recover());

  const readPull = (): Promise<unknown> => host.readPullRequest(repository, 1, 'main');
  const readStatuses = (): Promise<unknown> => host.readStatuses(repository, head);

  /** Makes the mock answer as usual, but without one field. */
  const answerWithout = async (operation: string, path: string, field: string): Promise<void> => {
    const token = double.createToken();
    const url = `${double.apiUrl}/repos/acme/widgets${path}`;
    const answer = await fetch(url, { headers: { authorization: `token ${token}` } });
    double.faults.answerBody(operation, 200, without(await answer.json(), field));
  };

  it.each([
    ['repoGetPullRequest', '/pulls/1', 'state', 'pull request 1 without state'],
    ['repoGetPullRequest', '/pulls/1', 'sha', 'pull request 1 without head.sha'],
    ['repoGetBranch', '/branches/main', 'protected', 'the branch main without protected'],
    ['repoGetBranch', '/branches/main', 'required_approvals', 'the branch main without required_approvals'],
    ['repoGetBranch', '/branches/main', 'status_check_contexts', 'the branch main without status_check_contexts'],
    ['repoListPullReviews', '/pulls/1/reviews', 'dismissed', 'a review of #1 without dismissed'],
  ])(
    '%s %s without %s is an error, because a requirement for merging could be missing',
    async (operation, path, field, words) => {
      expect(await readPull()).toMatchObject({ mergeability: 'mergeable' });
      await answerWithout(operation, path, field);
      const message = `gitea.example described ${words}`;
      await expect(readPull()).rejects.toMatchObject({ name: 'HostUnavailable', kind: 'server_error', message });
    },
  );

  it.each([
    ['id', 'without id'],
    ['context', 'without context'],
    ['status', 'without status'],
  ])('a status without its %s is an error', async (field, flaw) => {
    await answerWithout('repoListStatusesByRef', `/commits/${head}/statuses`, field);
    await expect(readStatuses()).rejects.toMatchObject({ message: expect.stringContaining(flaw) as string });
  });

  it('a status with an unknown state is pending and shows that state, and other statuses stay readable', async () => {
    const statuses = [
      { id: 9, context: 'ci', status: 'constructor' },
      { id: 8, context: 'lint', status: 'success' },
    ];
    double.faults.answerBody('repoListStatusesByRef', 200, statuses);
    const description = 'The host says "constructor", which is a state that this version does not know.';
    expect(await readStatuses()).toMatchObject([
      { name: 'lint', state: 'success' },
      { name: 'ci', state: 'pending', description },
    ]);
  });

  it('an object instead of a list is not read as an empty list', async () => {
    double.faults.answerBody('repoListStatusesByRef', 200, {});
    await expect(readStatuses()).rejects.toMatchObject({ kind: 'server_error' });
  });

  it('a repository without its name is not reported as a missing repository', async () => {
    await answerWithout('repoGet', '', 'full_name');
    await expect(host.findRepository(repository)).rejects.toMatchObject({ kind: 'server_error' });
    expect(await host.findRepository(repository)).toBe('found');
  });
});
