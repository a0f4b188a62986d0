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
    await person.page.waitForSelector('[data-live-state]:text-is("Live")');
  });
  afterEach(async () => {
    const complaints = [...person.complaints];
    await person.close();
    await other.app.close();
    expect(complaints).toEqual([]);
  });

  it('point 4: what another instance decides is in the page without a reload, and what is mine is said', async () => {
    await person.ask(`window.stayed = true`);
    await queue.report(1, 'success');
    await person.page.waitForSelector('.landings .tip [href$="number=1"]');
    await person.page.waitForSelector('[data-announce]:text-matches("#2 .*in run")', { state: 'attached' });
    expect(await person.ask('window.stayed')).toBe(true);
  });

  it('point 4: focus, what is open and what somebody typed stay; nothing enters below the hand', async () => {
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

  it('point 4: while the service is away the page says since when, and it mends itself', async () => {
    const { page } = person;
    await other.app.close();
    await page.waitForSelector('[data-away]:not([hidden])');
    expect(await page.textContent('[data-away]')).toMatch(
      /^Not live since \d\d:\d\d\. The page shows how it was then\.$/,
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
