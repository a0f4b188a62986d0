import { countedForEach, countedRequests, gitRequests } from '../bench/requests/count';
import { COUNTED_FORGES } from '../bench/requests/forges';
import { MergingTeam } from '../bench/requests/merging-team';
import { repetitionsOfThisRun } from '../support/long-run';

/** The most expensive way to merge a pull request. */
const DEAREST = {
  submittedBy: 'comment',
  news: 'webhooks',
  together: 1,
  unknownReads: 0,
} as const;

const PLAYED = repetitionsOfThisRun(COUNTED_FORGES);

describe.each(PLAYED)('the number of requests for a merged pull request on $name', (forge) => {
  let team: MergingTeam;

  beforeAll(async () => {
    const mergeMethod = forge.mergeMethods[0] ?? 'squash';
    team = await MergingTeam.start({ forge, mergeMethod, ...DEAREST });
    await team.merge();
  });
  afterAll(() => team.close());

  it('is within the budget for the merge method that needs most requests, also if CI uploads failed tests', async () => {
    const { requests } = await team.merge();
    expect(countedRequests(requests).length).toBeLessThanOrEqual(forge.mostRequests);
    const uploaded = await team.merge('uploaded');
    // An upload causes no further requests. The number of requests that an upload saves depends on which webhook comes
    // first.
    expect(countedRequests(uploaded.requests).length).toBeLessThanOrEqual(forge.mostRequests);
    expect(uploaded.comments.join()).toContain('2 failed tests');
    const look = countedRequests(uploaded.looks.at(-1) ?? []).length;
    expect(look).toBe(forge.aLook ?? look);
    team.assertFits();
  });
});

describe.each(PLAYED)('the number of requests for each of eight pull requests in a batch on $name', (forge) => {
  it('is within the budget for the merge method that needs most requests', async () => {
    const mergeMethod = forge.mergeMethods[0] ?? 'squash';
    const team = await MergingTeam.start({ forge, mergeMethod, ...DEAREST, together: 8 });
    try {
      await team.merge();
      const merged = await team.merge();
      const most = forge.mostInBatch;
      expect(countedForEach(merged)).toBeLessThanOrEqual(most.requests);
      expect(gitRequests(merged.requests) / merged.numbers.length).toBeLessThanOrEqual(most.git);
      team.assertFits();
    } finally {
      await team.close();
    }
  });
});
