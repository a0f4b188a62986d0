import { countedRequests, MOST_REQUESTS } from '../bench/requests/count';
import { MergingTeam } from '../bench/requests/merging-team';

describe('what a merged pull request costs in requests to GitHub', () => {
  let team: MergingTeam;

  beforeAll(async () => {
    team = await MergingTeam.start({ mergeMethod: 'squash', submittedBy: 'comment', unknownReads: 0 });
  });
  afterAll(() => team.close());

  it('is within the budget, for the way that costs most', async () => {
    const names = (await team.merge()).requests.map(({ operation }) => operation);
    expect(names).toContain('pulls/merge');
    const { requests, looks } = await team.merge();
    expect(countedRequests(requests).length).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(looks.map((look) => countedRequests(look).length)).toEqual([4, 0]);
    expect(team.complaints).toEqual([]);
  });

  it('is the same where CI uploads what failed', async () => {
    const without = await team.merge();
    const { requests, comments } = await team.merge('uploaded');
    expect(countedRequests(requests)).toHaveLength(countedRequests(without.requests).length);
    expect(comments.join()).toContain('2 failed tests');
  });
});
