import { describeInBrowser } from './browser';
import { pullRequest } from './histories';
import { openStage } from './stage';
import type { QueueOfTeam } from './team';

const COUNT = 1_000;

describeInBrowser('A queue of 1,000 entries in a browser', () => {
  let queue: QueueOfTeam;
  const stage = openStage(async (team) => {
    queue = await team.queue('monorepo', { concurrency: 4 });
    for (let number = 1; number <= COUNT; number++) queue.repository.openPullRequest(number, pullRequest(number));
    for (let number = 1; number <= COUNT; number++) await queue.ask('submitPullRequest', { pr: { number } });
    await team.service.settles();
  });

  it('has a page of less than 150 KB', async () => {
    const answer = await stage.person.page.goto(queue.path);
    const { length } = await answer!.body();
    expect(length).toBeLessThan(150_000);
    expect(await stage.person.page.textContent('h1')).toBe('1,000 in the queue: 4 in test, 996 waiting');
  });

  it('loads 100 more rows each time the end of the list is near, until all rows are shown', async () => {
    const { page } = stage.person;
    await page.goto(queue.path);
    const rows = () => stage.person.ask<number>(`document.querySelectorAll('table.waits tr[data-row]').length`);
    // The rows are counted before more rows are requested, so that each request must add a row.
    for (let before = await rows(); (await page.$('[data-more]')) !== null; before = await rows()) {
      await stage.person.ask(`document.querySelector('footer').scrollIntoView()`);
      await page.locator('table.waits tr[data-row]').nth(before).waitFor({ state: 'attached' });
    }
    expect(await rows()).toBe(COUNT - 4);
    const places = await stage.person.ask<number[]>(
      `[...document.querySelectorAll('table.waits tr[data-row] .pos')].map((cell) => Number(cell.textContent))`,
    );
    expect(places).toEqual(places.map((_, index) => index + 5));
  });

  it('the search finds a number beyond the shown rows', async () => {
    const { page } = stage.person;
    await page.goto(queue.path);
    await page.keyboard.press('/');
    await page.keyboard.type('950');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ui/pull-request?*number=950');
    expect(await page.textContent('.verdict-box .say')).toContain('waits for a free slot');
  });
});
