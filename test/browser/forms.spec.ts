import type { AuditItem } from '../../src/audit/dto/audit.dto';
import { Chromium, describeInBrowser, LOOKS, type Person } from './browser';
import { type QueueOfTeam, Team } from './team';

const OPEN_SECOND = `document.querySelectorAll('details.act').forEach((one, index) => { one.open = index === 1; })`;

describeInBrowser('The forms of pages in a browser', () => {
  let team: Team;
  let chromium: Chromium;
  let person: Person;
  let queue: QueueOfTeam;
  let settings: string;

  beforeAll(async () => {
    team = await Team.start();
    chromium = await Chromium.start();
    queue = await team.queue('storefront');
    settings = queue.path.replace('/ui/queue', '/ui/settings');
    await queue.submit(7, { title: 'Send the receipt as PDF', author: 'ada' });
    await queue.submit(8, { title: 'Let guests check out', author: 'grace' });
    person = await chromium.person(team.service.url);
    await person.signIn((await team.client('admin')).token!, 'ada');
  });
  afterEach(() => expect(person.complaints).toEqual([]));
  afterAll(async () => {
    await chromium?.stop();
    await team.stop();
  });

  it('point 9: open forms and settings have no fault of axe in both themes and widths', async () => {
    for (const [name, path] of Object.entries({ pause: queue.path, 'take-out': queue.pathOf(7), settings })) {
      for (const look of LOOKS) {
        await person.look(look);
        await person.page.goto(path);
        await person.ask(OPEN_SECOND);
        const found = { page: name, ...look, axe: await person.axe(), overflow: await person.overflow() };
        await person.picture(`${name}-${look.width}-${look.theme}`);
        expect(found).toEqual({ page: name, ...look, axe: [], overflow: 0 });
      }
    }
  });

  it('point 12: without a script a queue is paused, resumed and changed, and a pull request taken out; all is in the audit', async () => {
    const plain = await chromium.person(team.service.url, { javaScriptEnabled: false });
    await plain.signIn((await team.client('admin')).token!);
    const { page } = plain;
    await page.goto(queue.path);
    await page.click('summary:has-text("Pause…")');
    await page.fill('#pause-reason', 'release day');
    await page.click('button:has-text("Pause the queue")');
    await page.waitForURL('**done=paused');
    expect(await page.textContent('main')).toContain('release day');
    await page.click('button:has-text("Resume")');
    await page.waitForURL('**done=running');
    await page.goto(settings);
    await page.fill('#s-concurrency', '3');
    await page.click('button:has-text("Save")');
    await page.waitForURL('**done=saved');
    expect(await page.inputValue('#s-concurrency')).toBe('3');
    await page.goto(queue.pathOf(8));
    await page.click('summary:has-text("Take out…")');
    await page.click('button:has-text("Take #8 out")');
    await page.waitForURL('**done=cancelled');
    const { items } = (await (await team.client('admin')).get('audit')).body as unknown as { items: AuditItem[] };
    expect(items.filter(({ channel }) => channel === 'page').map(({ action }) => action)).toEqual([
      'pull_request.cancelled',
      'queue.updated',
      'queue.updated',
      'queue.updated',
    ]);
    await plain.close();
  });
});
