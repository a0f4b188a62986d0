import { addWaiting } from '../support/waiting-entries';
import { describeInBrowser, LOOKS } from './browser';
import { pullRequest } from './histories';
import { openStage } from './stage';
import type { QueueOfTeam, Team } from './team';

const MOST_BYTES = 150_000;
const ROWS = `document.querySelectorAll('table.waits tr[data-row]').length`;

/** Entries are numbered from 1 on. */
async function queueOf(team: Team, count: number): Promise<QueueOfTeam> {
  const queue = await team.queue(`queue-of-${count}`, { concurrency: 2 });
  for (let number = 1; number <= count; number++) await queue.submit(number, pullRequest(number));
  return queue;
}

describeInBrowser('Queues with 0, 3 and 12 entries, in a browser', () => {
  const queues = new Map<number, QueueOfTeam>();
  const stage = openStage(async (team) => {
    for (const count of [0, 3, 12]) queues.set(count, await queueOf(team, count));
  });

  it.each([
    [0, 'Nothing in the queue'],
    [3, '3 in the queue: 2 in test, 1 waiting'],
    [12, '12 in the queue: 2 in test, 10 waiting'],
  ])('%i entries are counted, and the page has no axe violations in both themes and widths', async (count, title) => {
    const { person } = stage;
    const queue = queues.get(count)!;
    for (const look of LOOKS) {
      await person.look(look);
      const answer = await person.page.goto(queue.path);
      expect((await answer!.body()).length).toBeLessThan(MOST_BYTES);
      const found = { ...look, axe: await person.axe(), overflow: await person.overflow() };
      await person.picture(`queue-of-${count}-${look.width}-${look.theme}`);
      expect(found).toEqual({ ...look, axe: [], overflow: 0 });
    }
    expect(await person.page.textContent('h1')).toBe(title);
    expect(await person.ask<number>(ROWS)).toBe(Math.max(0, count - 2));
  });

  it('the search for a number that was never submitted says so, in an empty queue and in a queue with 12 entries', async () => {
    const { page } = stage.person;
    for (const count of [0, 12]) {
      await page.goto(queues.get(count)!.path);
      await page.keyboard.press('/');
      await page.keyboard.type('77');
      expect(await page.textContent('[data-toast]')).toBe(
        'Nothing on this page matches “77”. Press Enter to search the service.',
      );
      await page.keyboard.press('Enter');
      await page.waitForURL('**/ui/pull-request?*number=77');
      expect(await page.textContent('main')).toContain('never submitted');
    }
  });
});

describeInBrowser('A queue of 10,000 entries in a browser', () => {
  const COUNT = 10_000;
  const SUBMITTED = 4;
  let queue: QueueOfTeam;
  const stage = openStage(async (team) => {
    queue = await queueOf(team, SUBMITTED);
    const { prisma, clock } = team.service;
    const { id: queueId } = await prisma.queue.findFirstOrThrow();
    await addWaiting(prisma, { queueId, now: clock.now(), like: 1 }, SUBMITTED + 1, COUNT);
  });

  it('has a page of less than 150 KB that counts all entries', async () => {
    const answer = await stage.person.page.goto(queue.path);
    expect((await answer!.body()).length).toBeLessThan(MOST_BYTES);
    // One pull request in ten is a draft.
    expect(await stage.person.page.textContent('h1')).toBe(
      '10,000 in the queue: 2 in test, 8,999 waiting, 999 not ready',
    );
  });

  it('loads the next hundreds of rows in order, each row once, and needs little memory for them', async () => {
    const { person } = stage;
    const { page } = person;
    await page.goto(queue.path);
    for (let before = await person.ask<number>(ROWS); before < 1_000; before = await person.ask<number>(ROWS)) {
      await person.ask(`document.querySelector('footer').scrollIntoView()`);
      await page.locator('table.waits tr[data-row]').nth(before).waitFor({ state: 'attached' });
    }
    const places = await person.ask<number[]>(
      `[...document.querySelectorAll('table.waits tr[data-row] .pos')].map((cell) => Number(cell.textContent))`,
    );
    expect(places).toEqual(places.map((_, index) => index + 3));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('HeapProfiler.collectGarbage');
    await devtools.send('Performance.enable');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const metric = (name: string) => metrics.find((one) => one.name === name)!.value;
    expect(metric('JSHeapUsedSize')).toBeLessThan(32 * 1024 * 1024);
    await devtools.detach();
  });

  it('the search finds #9,950 beyond the shown rows, and gives its position and reason in one sentence', async () => {
    const { page } = stage.person;
    await page.goto(queue.path);
    await page.keyboard.press('/');
    await page.keyboard.type('9950');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ui/pull-request?*number=9950');
    expect(await page.textContent('.verdict-box .say')).toMatch(
      /^\d,?\d{3} pull requests ahead of it: waits for a free slot/,
    );
  });

  it('shows a change of the queue without a reload', async () => {
    const { page } = stage.person;
    await page.goto(queue.path);
    await page.waitForSelector('[data-live-state]:text-matches("^Live")');
    await stage.person.ask(`window.stayed = true`);
    await queue.report(1, 'success');
    await page.waitForSelector('.landings .tip [href$="number=1"]');
    expect(await stage.person.ask('window.stayed')).toBe(true);
  });
});
