import { Chromium, describeInBrowser, type Person } from './browser';
import { pullRequest } from './histories';
import { type QueueOfTeam, Team } from './team';

const COUNT = 1_000;

describeInBrowser('A queue of 1,000 in a browser', () => {
  let team: Team;
  let chromium: Chromium;
  let person: Person;
  let queue: QueueOfTeam;

  beforeAll(async () => {
    team = await Team.start();
    chromium = await Chromium.start();
    queue = await team.queue('monorepo', { concurrency: 4 });
    for (let number = 1; number <= COUNT; number++) queue.repository.openPullRequest(number, pullRequest(number));
    for (let number = 1; number <= COUNT; number++) await queue.ask('submitPullRequest', { pr: { number } });
    await team.service.settles();
    person = await chromium.person(team.service.url);
    await person.signIn((await team.client('read')).token!, 'ada');
  }, 600_000);
  afterEach(() => expect(person.complaints).toEqual([]));
  afterAll(async () => {
    await chromium?.stop();
    await team.stop();
  });

  it('point 8: is answered with less than 150 KB', async () => {
    const answer = await person.page.goto(queue.path);
    const { length } = await answer!.body();
    expect(length).toBeLessThan(150_000);
    expect(await person.page.textContent('h1')).toBe('1,000 in the queue: 4 in test, 996 waiting');
  });

  it('point 8: shows the next hundred each time its end comes near, and all in the end', async () => {
    const { page } = person;
    await page.goto(queue.path);
    const rows = () => person.ask<number>(`document.querySelectorAll('table.waits tr[data-row]').length`);
    // Counted before it is asked whether there are more: then another row comes for certain.
    for (let before = await rows(); (await page.$('[data-more]')) !== null; before = await rows()) {
      await person.ask(`document.querySelector('footer').scrollIntoView()`);
      await page.locator('table.waits tr[data-row]').nth(before).waitFor({ state: 'attached' });
    }
    expect(await rows()).toBe(COUNT - 4);
    const places = await person.ask<number[]>(
      `[...document.querySelectorAll('table.waits tr[data-row] .pos')].map((cell) => Number(cell.textContent))`,
    );
    expect(places).toEqual(places.map((_, index) => index + 5));
  });

  it('point 3: the search answers at 1,000, too, for what is not on the page', async () => {
    const { page } = person;
    await page.goto(queue.path);
    await page.keyboard.press('/');
    await page.keyboard.type('950');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ui/pull-request?*number=950');
    expect(await page.textContent('.verdict-box .say')).toContain('waits for a free slot');
  });
});
