import { EvaluationTicker } from '../../src/modules/test-health/storage/evaluation/evaluation-ticker';
import { ApiClient } from '../support/api-client';
import { describeInBrowser } from './browser';
import { pullRequest } from './histories';
import { openStage } from './stage';
import type { QueueOfTeam, Team } from './team';

const LOG = 'https://ci.example/runs/7';

/** CI uploads a flaky test, and a test that never failed before, for one commit. */
async function uploadTests(
  team: Team,
  queue: QueueOfTeam,
  said: { readonly commit: string; readonly branch?: string },
  failed: readonly string[],
): Promise<void> {
  const { host, owner, name } = queue.repo;
  const client = new ApiClient(team.service.url, (await team.client('admin')).token!);
  const cases = ['rings', 'pays'].map(
    (test) => `<testcase name="${test}">${failed.includes(test) ? '<failure message="no"/>' : ''}</testcase>`,
  );
  const query = { repo: `${host}/${owner}/${name}`, org_url_slug: owner, ...said };
  await client.uploadReport(query, `<testsuite>${cases.join('')}</testsuite>`);
  await team.service.app.get(EvaluationTicker).drain();
}

describeInBrowser('A failed test run in a browser', () => {
  let queue: QueueOfTeam;
  const stage = openStage(async (team) => {
    queue = await team.queue('storefront');
    await queue.submit(7, pullRequest(7, { author: 'ada' }));
    const { commit } = queue.repository.tip('main');
    await uploadTests(team, queue, { commit }, ['rings']);
    await uploadTests(team, queue, { commit }, []);
    const { testBranchSha, testBranch } = (await queue.ask('getMergeQueueTestingDetails', { pr: { number: 7 } })).body;
    await uploadTests(team, queue, { commit: testBranchSha, branch: testBranch }, ['rings', 'pays']);
    await queue.report(7, 'failure', 'unit', { url: LOG, description: '2 tests failed' });
  });

  it('shows the status, the commit, the log, the failed tests with their history, and the next step', async () => {
    const { page } = stage.person;
    await page.goto(queue.pathOf(7));
    const said = await page.textContent('.verdict-box .say');
    expect(said).toContain('unit');
    expect(said).toContain('Push a fix');
    const tests = await page.locator('.verdict-box .evidence li').allTextContents();
    const shown = tests.map((text) => text.trim().replace(/\s+/g, ' '));
    expect(shown.sort()).toEqual(['pays', 'rings (known to be flaky) Quarantine…']);
    expect(await page.getAttribute('.verdict-box .acts a', 'href')).toBe(LOG);
    const run = await stage.team.service.prisma.testRun.findFirstOrThrow();
    expect(await page.textContent('[aria-labelledby=try]')).toContain(run.commit);
  });

  it("is also shown on the queue's page, with links to the log and to the next step", async () => {
    const { page } = stage.person;
    await page.goto(queue.path);
    const left = page.locator('.sent li').first();
    expect(await left.textContent()).toContain('(known to be flaky)');
    expect(await left.locator(`a[href="${LOG}"]`).count()).toBe(1);
    await left.locator('a:has-text("what to do")').click();
    await page.waitForURL('**/ui/pull-request?*number=7');
  });

  it('has no duration and no forecast if its required status has run too rarely to know them', async () => {
    await queue.submit(8, pullRequest(8));
    const { page } = stage.person;
    await page.goto(queue.pathOf(8));
    expect(await page.textContent('[aria-labelledby=time]')).toContain('unknown yet');
    expect(await page.textContent('.verdict-box')).toContain('no forecast yet');
  });
});
