import { readConfig } from '../../src/platform/config/read-config';
import { startApplication, type StartedApplication } from '../support/application';
import { RecordingLogger } from '../support/recording-logger';
import { Chromium, describeInBrowser, type Person } from './browser';
import { pullRequest } from './histories';
import { type QueueOfTeam, Team } from './team';

describeInBrowser('Live pages in a browser', () => {
  let team: Team;
  let chromium: Chromium;
  let person: Person;
  let other: StartedApplication;
  let queue: QueueOfTeam;
  let queues = 0;

  beforeAll(async () => {
    team = await Team.start();
    chromium = await Chromium.start();
  });
  afterAll(async () => {
    await chromium?.stop();
    await team.stop();
  });
  beforeEach(async () => {
    const { clock, memoryAdapter } = team.service;
    const config = readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_LOG_LEVEL: 'silent' });
    other = await startApplication({ config, clock, logger: new RecordingLogger(), memory: memoryAdapter });
    queue = await team.queue(`shop-${++queues}`, { concurrency: 1 });
    await queue.submit(1, pullRequest(1, { author: 'ada' }));
    await queue.submit(2, pullRequest(2, { author: 'ada' }));
    person = await chromium.person(other.url);
    await person.signIn((await team.client('read')).token!, 'ada');
    await person.page.goto(queue.path);
    await person.page.waitForSelector('[data-live-state]:text-matches("^Live")');
  });
  afterEach(async () => {
    const complaints = [...person.complaints];
    await person.close();
    await other.app.close();
    expect(complaints).toEqual([]);
  });

  it('show decisions of another instance without a reload, and announce changes of my own pull requests', async () => {
    await person.ask(`window.stayed = true`);
    await queue.report(1, 'success');
    await person.page.waitForSelector('.landings .tip [href$="number=1"]');
    await person.page.waitForSelector('[data-announce]:text-matches("#2 .*in run")', { state: 'attached' });
    expect(await person.ask('window.stayed')).toBe(true);
  });

  it('keep the focus, open forms and typed text, and move nothing under the pointer', async () => {
    const { page } = person;
    await person.ask(`document.querySelector('tr[data-number="2"]').focus()`);
    await person.ask(`document.querySelector('[data-search]').value = 'typed'`);
    await queue.submit(3, pullRequest(3));
    await page.waitForSelector('[data-held]:not([hidden])');
    expect(await person.ask('document.activeElement.dataset.number')).toBe('2');
    expect(await page.$('tr[data-number="3"]')).toBeNull();
    await page.click('[data-held]');
    await page.waitForSelector('tr[data-number="3"]');
    expect(await page.isVisible('[data-held]')).toBe(false);
    expect(await page.inputValue('[data-search]')).toBe('typed');
  });

  /** Opens another page in the same window, and waits until it is live. */
  async function open(path: string): Promise<Person['page']> {
    await person.page.goto(path);
    await person.page.waitForSelector('[data-live-state]:text-matches("^Live")');
    await person.ask(`window.stayed = true`);
    return person.page;
  }
  const said = (text: string) => `[data-announce]:text-matches(${JSON.stringify(text)})`;

  it('show and announce changes on the page of a pull request', async () => {
    const page = await open(queue.pathOf(1));
    const items = await page.locator('.story > li').count();
    await queue.report(1, 'success');
    await page.waitForSelector('.verdict-box:has-text("Merged")');
    await page.waitForSelector(said('#1: Merged. .*merged into'), { state: 'attached' });
    expect(await page.locator('.story > li').count()).toBeGreaterThan(items);
    expect(await person.ask('window.stayed')).toBe(true);
    expect(await person.axe()).toEqual([]);
  });

  it('move nothing under the pointer on the page of a pull request, but announce its conclusion', async () => {
    const page = await open(queue.pathOf(1));
    await page.hover('.story > li >> nth=0');
    const before = await page.locator('.story > li').allTextContents();
    await queue.report(1, 'success');
    await page.waitForSelector('[data-held]:not([hidden])');
    expect(await page.locator('.story > li').allTextContents()).toHaveLength(before.length);
    await page.waitForSelector(said('#1: Merged'), { state: 'attached' });
    // The held update appears when the pointer leaves the element, without a key press.
    await page.mouse.move(2, 2);
    await page.waitForSelector('.verdict-box:has-text("Merged")');
  });

  it('update the list of queues, including a new queue', async () => {
    const page = await open(`/ui?repo=memory.example/acme/${queue.repo.name}`);
    const row = page.locator('tr[data-row]').first();
    expect(await row.locator('[data-l=merged]').textContent()).toMatch(/^\s*0\s*$/);
    await queue.report(1, 'success');
    await page.waitForSelector('tr[data-row] [data-l=merged]:text-matches("^\\s*1\\s*$")');
    await queue.ask('updateQueue', { state: 'paused', pauseReason: 'store freeze' });
    await page.waitForSelector('tr[data-row]:has-text("store freeze")');
    await page.waitForSelector(said(`acme/${queue.repo.name} main needs attention.`), { state: 'attached' });
    await page.hover('tr[data-row] >> nth=0');
    await team.queue(queue.repo.name, {}, 'next');
    await page.waitForSelector('[data-held]:not([hidden])');
    expect(await page.locator('tr[data-row]').count()).toBe(1);
    // The held update appears when the pointer leaves the element, without a key press.
    await page.mouse.move(2, 2);
    await page.waitForSelector('tr[data-row] >> nth=1');
    expect(await person.ask('window.stayed')).toBe(true);
  });

  it('count and announce new merges on the open history page', async () => {
    const page = await open(queue.path.replace('/ui/queue', '/ui/history'));
    await queue.report(1, 'success');
    await page.waitForSelector('.kpi:has-text("Merged") dd:text-is("1")');
    await page.waitForSelector(said('Today so far: 1 merged, 0 failed, 0 cancelled.'), { state: 'attached' });
    expect(await person.ask('window.stayed')).toBe(true);
  });

  it('say since when the service is unreachable, and recover without a reload', async () => {
    const { page } = person;
    await other.app.close();
    await page.waitForSelector('[data-away]:not([hidden])');
    expect(await page.textContent('[data-away]')).toMatch(
      /^Not live since \d\d:\d\d\. The page shows the state of that time\.$/,
    );
    expect(await person.axe()).toEqual([]);
    await queue.submit(3, pullRequest(3));
    const port = Number(new URL(other.url).port);
    const config = readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_LOG_LEVEL: 'silent' });
    const { clock, memoryAdapter } = team.service;
    other = await startApplication({ config, clock, logger: new RecordingLogger(), memory: memoryAdapter, port });
    await page.waitForSelector('tr[data-number="3"]');
    expect(await page.isVisible('[data-away]')).toBe(false);
  });
});
