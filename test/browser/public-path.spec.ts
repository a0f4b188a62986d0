import { PathProxy } from '../support/path-proxy';
import { Chromium, describeInBrowser, type Person } from './browser';
import { pullRequest } from './histories';
import { type QueueOfTeam, Team } from './team';

const PATH = '/merge-queue';

describeInBrowser('Below the path of a proxy, in a browser', () => {
  let proxy: PathProxy;
  let team: Team;
  let chromium: Chromium;
  let person: Person;
  let queue: QueueOfTeam;

  beforeAll(async () => {
    proxy = await PathProxy.start(PATH, () => team.service.url);
    team = await Team.start('acme', [], { publicUrl: proxy.url });
    chromium = await Chromium.start();
    queue = await team.queue('storefront', { concurrency: 1 });
    await queue.submit(1, pullRequest(1));
    await queue.submit(2, pullRequest(2));
    // Every URL in this file is absolute, because the tests' base URL has no path.
    person = await chromium.person(new URL(proxy.url).origin);
    const { page } = person;
    await page.goto(`${proxy.url}/`);
    await page.waitForURL(`${proxy.url}/ui/sign-in`);
    await page.fill('#token', (await team.client('admin')).token!);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${proxy.url}/ui`);
  });
  afterEach(() => {
    expect(person.complaints).toEqual([]);
    expect(proxy.strays).toEqual([]);
  });
  afterAll(async () => {
    await chromium?.stop();
    await team?.stop();
    await proxy?.stop();
  });

  it('the session cookie is limited to the path, and sign-in continues to the requested page', async () => {
    const [cookie] = await person.page.context().cookies();
    expect([cookie!.name, cookie!.path]).toEqual(['sluice_session', `${PATH}/ui`]);
    const stranger = await chromium.person(new URL(proxy.url).origin);
    await stranger.page.goto(proxy.url + queue.path);
    await stranger.page.fill('#token', (await team.client('read')).token!);
    await stranger.page.keyboard.press('Enter');
    await stranger.page.waitForURL(proxy.url + queue.path);
    await stranger.page.click('text=Sign out');
    await stranger.page.waitForURL(`${proxy.url}/ui/sign-in`);
    await stranger.close();
  });

  it('every link, form and file of every page is below the path, and answers', async () => {
    const { page } = person;
    const seen = new Set<string>();
    const left = [`${proxy.url}/ui`];
    const { origin } = new URL(proxy.url);
    while (left.length > 0) {
      const address = left.pop()!;
      if (seen.has(address)) continue;
      seen.add(address);
      const answer = await page.request.get(address);
      expect([address, answer.status()]).toEqual([address, 200]);
      if (!(answer.headers()['content-type'] ?? '').startsWith('text/html')) continue;
      const text = (await answer.text()).replaceAll('&amp;', '&');
      const named = [...text.matchAll(/\s(?:href|src|action|formaction)="([^"#]+)/g)].map(
        ([, it]) => new URL(it!, address),
      );
      const ours = named.filter((one) => one.origin === origin).map(({ href }) => href);
      expect(ours.filter((href) => !href.startsWith(`${proxy.url}/`))).toEqual([]);
      // Three links are not followed: signing out ends the session, and the other two pages add form fields to the URL.
      left.push(...ours.filter((href) => !/\/ui\/(sign-out|queue|tests)$/.test(href)));
    }
    const kinds = [
      'ui/queue',
      'ui/pull-request',
      'ui/history',
      'ui/settings',
      'ui/tests',
      'ui/webhooks',
      'ui/assets',
      'docs',
    ];
    for (const kind of kinds) {
      expect([kind, [...seen].some((href) => href.startsWith(`${proxy.url}/${kind}`))]).toEqual([kind, true]);
    }
  });

  it('pages get live updates, a sent form returns to its page, and the chosen theme is kept', async () => {
    const { page } = person;
    await page.goto(proxy.url + queue.path);
    await page.waitForSelector('[data-live-state]:text-matches("^Live")');
    await queue.report(1, 'success');
    await page.waitForSelector('.landings .tip [href$="number=1"]');
    await page.goto(proxy.url + queue.pathOf(2));
    await page.click('button:text-is("Test again")');
    await page.waitForURL(`${proxy.url}/ui/pull-request?*done=restarted`);
    await page.click('[data-theme-toggle]');
    expect((await (await page.goto(`${proxy.url}/ui`))!.text()).includes('data-theme="dark"')).toBe(true);
    await page.goto(`${proxy.url}/ui/queue/pause`);
    await page.waitForURL(`${proxy.url}/ui`);
  });

  it('the API documentation shows every operation, and sends requests below the path', async () => {
    const { page } = person;
    await page.goto(`${proxy.url}/docs`);
    await page.waitForSelector('.opblock');
    expect(await page.locator('.servers select').inputValue()).toBe(PATH);
    const document = (await (await page.request.get(`${proxy.url}/openapi.json`)).json()) as {
      servers: { url: string }[];
    };
    expect(document.servers.map(({ url }) => url)).toEqual([PATH, proxy.url]);
    const address = document.servers[0]!.url;
    const { status } = await fetch(new URL(`${address}/v1/token`, proxy.url), {
      headers: { 'x-api-token': (await team.client('read')).token! },
    });
    expect(status).toBe(200);
  });
});
