import { randomUUID } from 'node:crypto';
import { ALL_LOOKS, Chromium, describeInBrowser, GOOD_IN_OTHER_MEDIA, LOOKS, type Person } from './browser';
import { Team } from './team';

const LOG = [
  '\u001b[1m$ npm test\u001b[0m',
  'PASS test/cart.test.ts',
  '\u001b[31mFAIL\u001b[0m test/checkout.test.ts',
  '  \u001b[31m● CheckoutTotal › applies discount\u001b[0m',
  '    expected 90, got 100',
  '\u001b[33mwarning\u001b[0m a <script>alert("a log")</script>, \u202eRTL\u202c and a line of 300 characters: ' +
    'x'.repeat(300),
  '\u001b[32m398 passed\u001b[0m, \u001b[31m1 failed\u001b[0m, \u001b[2m3 skipped\u001b[22m',
].join('\n');

describeInBrowser('The pages in a browser:', () => {
  let team: Team;
  let chromium: Chromium;
  let person: Person;
  let token: string;
  let log: string;
  let test: string;

  beforeAll(async () => {
    team = await Team.start();
    chromium = await Chromium.start();
    token = (await team.client('read')).token!;
    const queue = await team.queue('storefront');
    await queue.submit(7, { title: 'Apply the discount before tax', author: 'ada' });
    const { prisma, clock } = team.service;
    const { id: repositoryId } = await prisma.repository.findFirstOrThrow();
    const run = await prisma.testRun.findFirstOrThrow();
    log = randomUUID();
    const check = { id: log, repositoryId, testRunId: run.id, sha: run.commit!, name: 'unit', command: 'npm test' };
    const [createdAt, endedAt] = [clock.now(), new Date(clock.now().getTime() + 61_000)];
    const times = { createdAt, startedAt: createdAt, endedAt };
    await prisma.checkRun.create({ data: { ...check, ...times, state: 'failure', exitCode: 1, log: LOG } });
    test = await flakyTest(team);
  });
  afterAll(async () => {
    await chromium?.stop();
    await team.stop();
  });

  beforeEach(async () => {
    person = await chromium.person(team.service.url);
  });
  afterEach(async () => {
    expect(person.complaints).toEqual([]);
    await person.close();
  });

  const pages = (): readonly (readonly [string, string])[] => [
    ['log', `/ui/logs/${log}`],
    ['test', `/ui/tests/${test}`],
    ['tests', '/ui/tests?repo=memory.example/acme/storefront'],
    ['not-found', '/ui/tests/nothing'],
  ];

  it('/ leads to sign-in, and from there to the queues, with the keyboard alone', async () => {
    const { page } = person;
    await page.goto('/');
    expect(new URL(page.url()).pathname).toBe('/ui/sign-in');
    await person.picture('sign-in');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.focus('#token');
    await page.keyboard.type('slc_wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    expect(await page.textContent('[role=alert]')).toContain('unknown, expired or revoked');
    await person.picture('sign-in-wrong');
    await page.keyboard.press('Tab');
    await page.focus('#token');
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ui');
    expect(await page.textContent('h1')).not.toBe('Sign in');
    await page.click('text=Sign out');
    await page.waitForURL('**/ui/sign-in');
  });

  it('sign-in works under a plain host name, too', async () => {
    const address = new URL(team.service.url);
    const there = await chromium.person(`http://queue.test:${address.port}`);
    await there.signIn(token);
    expect(new URL(there.page.url()).pathname).toBe('/ui');
    expect(there.complaints).toEqual([]);
    await there.close();
  });

  it('a link to the log of a status opens its page after sign-in', async () => {
    const { page } = person;
    await page.goto(`/v1/checkRuns/${log}/log`);
    await page.fill('#token', token);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/ui/logs/${log}`);
    expect(await page.textContent('.log')).toContain('expected 90, got 100');
  });

  it('the page of a test lists each failure message once, with its count and its last time', async () => {
    await person.signIn(token, 'ada');
    await person.page.goto(`/ui/tests/${test}`);
    const lines = await person.ask<readonly string[]>(
      `[...document.querySelectorAll('[aria-labelledby=fails] li')].map((line) => line.textContent.replace(/\\s+/g, ' ').trim())`,
    );
    expect(lines).toEqual(['6 times last 2 days ago The report has no message.']);
  });

  it('the pages of a log, of tests and of errors have no axe violations, no overflow and no policy violations', async () => {
    await person.signIn(token, 'ada');
    for (const [name, path] of pages()) {
      for (const look of ALL_LOOKS) {
        await person.look(look);
        await person.page.goto(path);
        const found = { page: name, ...look, axe: await person.axe(), overflow: await person.overflow() };
        expect(found).toEqual({ page: name, ...look, axe: [], overflow: 0 });
        await person.picture(`${name}-${look.width}-${look.theme}`);
      }
    }
  });

  it('the pages of a log, of tests and of errors keep their texts in forced colours and on paper, without buttons', async () => {
    await person.signIn(token, 'ada');
    await person.look(LOOKS[0]!);
    for (const [name, path] of pages()) {
      await person.page.goto(path);
      expect({ name, ...(await person.inOtherMedia(name)) }).toEqual({ name, ...GOOD_IN_OTHER_MEDIA });
    }
  });

  it('the sign-in page has no axe violations in both themes and all widths, and in forced colours', async () => {
    await person.page.goto('/ui/sign-in');
    expect((await person.inOtherMedia('sign-in')).axe).toEqual([]);
    for (const look of ALL_LOOKS) {
      await person.look(look);
      await person.page.goto('/ui/sign-in');
      expect({ ...look, axe: await person.axe(), overflow: await person.overflow() }).toEqual({
        ...look,
        axe: [],
        overflow: 0,
      });
    }
  });

  it('no token is in a page, in a URL or in browser storage', async () => {
    const { page } = person;
    await person.signIn(token);
    await page.goto(`/ui/logs/${log}`);
    expect(page.url()).not.toContain('slc_');
    expect(await page.content()).not.toContain(token);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')).toBe(
      '[{},{},""]',
    );
  });

  it('the chosen theme is kept, and is part of the answer itself, so no other theme is shown first', async () => {
    const { page } = person;
    await page.goto('/ui/sign-in');
    await page.click('[data-theme-toggle]');
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    const answer = await page.goto('/ui/sign-in');
    expect(await answer!.text()).toContain('data-theme="dark"');
  });

  it('every page works without scripts', async () => {
    const plain = await chromium.person(team.service.url, { javaScriptEnabled: false });
    await plain.page.goto('/ui/sign-in');
    await plain.page.fill('#token', token);
    await plain.page.click('button.main');
    await plain.page.goto(`/ui/logs/${log}`);
    expect(await plain.page.textContent('.log')).toContain('expected 90, got 100');
    await plain.close();
  });
});

async function flakyTest(team: Team): Promise<string> {
  const { prisma, clock } = team.service;
  const { id: repositoryId } = await prisma.repository.findFirstOrThrow();
  const id = randomUUID();
  const hour = 3_600_000;
  const names = {
    name: 'opens the third picture',
    parent: 'Gallery',
    filePath: 'test/gallery.e2e.ts',
    classname: '',
    variant: '',
  };
  const status = { status: 'flaky', statusReason: 'failed and passed on commit 2316fba', statusChangedAt: clock.now() };
  const quarantine = { quarantineSetting: 'unspecified', quarantined: true, quarantinedAt: clock.now() };
  const data = {
    id,
    repositoryId,
    ...names,
    ...status,
    ...quarantine,
    codeowners: ['@acme/web'],
    ticketUrl: 'WEB-418',
  };
  await prisma.testCase.create({ data });
  for (let n = 0; n < 40; n++) {
    const at = new Date(clock.now().getTime() - n * 23 * hour);
    const day = at.toISOString().slice(0, 10);
    await prisma.$queryRaw`SELECT test_results.ensure_day(${day}::date)::text`;
    const outcome = n % 7 === 3 ? 1 : 0;
    await prisma.$executeRaw`
      INSERT INTO test_results.result
        (test_case_id, occurred_at, upload_id, summary_id, pr_number, outcome, branch_class, counted)
      VALUES (${id}::uuid, ${at}, 1, 0, ${n}, ${outcome}, 1, true)`;
  }
  return id;
}
