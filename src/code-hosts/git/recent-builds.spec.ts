import type { BuildRequest, CandidateOutcome } from '../../domain/code-host.port';
import { RecentBuilds } from './recent-builds';

const ON = { onto: 'a'.repeat(40), targetTip: 'a'.repeat(40), alreadyMerged: [], targetBranch: 'main' };
const REPOSITORY = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  host: 'github.example',
  owner: 'acme',
  name: 'widgets',
};

function requestFor(number: number, more: Partial<BuildRequest> = {}): BuildRequest {
  const described = { title: 'One', body: '', author: 'Ada', authorEmail: null, headBranch: null };
  const pullRequests = [{ number, head: 'b'.repeat(40), ...described }];
  return { ...ON, repository: REPOSITORY, pullRequests, mergeMethod: 'squash', committedAt: new Date(0), ...more };
}

describe('builds by git', () => {
  let builds: RecentBuilds;
  let times: number;
  beforeEach(() => {
    builds = new RecentBuilds();
    times = 0;
  });

  const ask = (request: BuildRequest, type: CandidateOutcome['type'] = 'built'): Promise<CandidateOutcome> =>
    builds.once(request, () => Promise.resolve({ type, tree: String(++times) } as unknown as CandidateOutcome));

  it('are reused for the same pull requests on the same commit, even if a later request has another time stamp', async () => {
    const first = await ask(requestFor(1));
    expect(await ask(requestFor(1, { committedAt: new Date(1) }))).toEqual(first);
    expect(times).toBe(1);
  });

  it.each<[string, BuildRequest]>([
    ['another pull request', requestFor(2)],
    ['another commit beneath', requestFor(1, { onto: 'c'.repeat(40) })],
    ['another method', requestFor(1, { mergeMethod: 'rebase' })],
    [
      'another repository',
      requestFor(1, { repository: { ...REPOSITORY, id: '1f8fad5b-d9cb-469f-a165-70867728950e' } }),
    ],
  ])('are made again for %s', async (_, other) => {
    await ask(requestFor(1));
    expect(await ask(other)).toMatchObject({ tree: '2' });
  });

  it('are tried again after a refusal, because missing objects may have arrived', async () => {
    await ask(requestFor(1), 'missing_commit');
    expect(await ask(requestFor(1))).toMatchObject({ type: 'built', tree: '2' });
  });
});
