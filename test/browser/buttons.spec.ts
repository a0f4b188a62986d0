import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { AuditItem } from '../../src/modules/audit/dto/audit.dto';
import { createToken } from '../../src/platform/auth/tokens';
import { Visitor } from '../e2e/visitor';
import { Chromium, describeInBrowser, type Person } from './browser';
import { BUTTON_ROWS, type ButtonPlaces, type ButtonRow } from './button-rows';
import { pullRequest } from './histories';
import { Team } from './team';

/** Paths that no button of this list requests: signing in and out, which have their own tests, and unknown pages. */
const NO_BUTTONS = ['/ui/sign-in', '/ui/sign-in-link', '/ui/sign-out', '/ui', '/ui/{*path}'];

/** A form as a browser sent it. */
interface SentByButton {
  readonly action: string;
  readonly fields: Record<string, string>;
}

describeInBrowser('The buttons of pages, without scripts', () => {
  let team: Team;
  let chromium: Chromium;
  let person: Person;
  let visitor: Visitor;
  let places: ButtonPlaces;
  const sent: SentByButton[] = [];

  beforeAll(async () => {
    team = await Team.start();
    chromium = await Chromium.start();
    const queue = await team.queue('storefront', { concurrency: 1 });
    for (const number of [1, 2, 3]) await queue.submit(number, pullRequest(number));
    queue.repository.openPullRequest(4, pullRequest(4));
    const admin = await team.client('admin');
    const hook = await admin.post('createWebhook', { name: 'known', url: 'https://hooks.example/known/for/long' });
    const webhookId = (hook.body as unknown as { webhook: { id: string } }).webhook.id;
    const now = team.service.clock.now();
    const times = { createdAt: now, notBefore: now, settledAt: now };
    const told = { webhookId, eventId: webhookId, type: 'merged', payload: { message: 'Merged.' }, ...times };
    for (const state of ['delivered', 'given_up'])
      await team.service.prisma.webhookDelivery.create({ data: { ...told, subject: state, state } });
    places = {
      ...{ queue, settings: queue.path.replace('/ui/queue', '/ui/settings'), test: await testOf(team) },
      webhook: `/ui/webhooks/${webhookId}`,
    };
    person = await chromium.person(team.service.url, { javaScriptEnabled: false });
    await person.signIn(admin.token!);
    visitor = new Visitor(team.service.url);
    await visitor.signIn(admin.token);
  });
  afterAll(async () => {
    await chromium?.stop();
    await team.stop();
  });

  /** The items of the audit log that pages caused, the newest first. */
  async function audited(): Promise<readonly AuditItem[]> {
    const { items } = (await (await team.client('admin')).get('audit?take=100')).body as unknown as {
      readonly items: readonly AuditItem[];
    };
    return items.filter(({ channel }) => channel === 'page');
  }

  const actionsOn = (page: Page) =>
    page.evaluate<string[]>(`[
      ...[...document.querySelectorAll('form[method=post]')].map((form) => form.getAttribute('action').split('?')[0]),
      ...[...document.querySelectorAll('[formaction]')].map((button) => button.getAttribute('formaction').split('?')[0]),
    ]`);

  it("each have a row in this spec's table of buttons", () => {
    interface Layer {
      readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
    }
    const { router } = team.service.app.getHttpAdapter().getInstance() as unknown as {
      router: { stack: readonly Layer[] };
    };
    const paths = router.stack.flatMap(({ route }) => (route?.methods.post === true ? [route.path] : []));
    const ofPages = paths.filter((path) => path.startsWith('/ui') && !NO_BUTTONS.includes(path));
    expect(ofPages.length).toBeGreaterThan(10);
    expect(new Set(BUTTON_ROWS.map(({ action }) => action))).toEqual(new Set(ofPages));
  });

  it('are not shown to a token that only reads', async () => {
    const reader = await chromium.person(team.service.url, { javaScriptEnabled: false });
    await reader.signIn((await team.client('read')).token!);
    for (const { at } of BUTTON_ROWS) {
      await reader.page.goto(at(places));
      expect([at(places), await actionsOn(reader.page)]).toEqual([at(places), ['/ui/sign-out']]);
    }
    await reader.close();
  });

  it.each(BUTTON_ROWS.map((row) => [row.name, row] as const))(
    '%s works, is in the audit log with user and source, and has no second effect when it is sent twice',
    async (_, row) => {
      const { page } = person;
      const before = (await audited()).length;
      await page.goto(row.at(places));
      expect(await actionsOn(page)).toContain(row.action);
      team.service.clock.advance(1_000);
      sent.push(await pressed(page, row));
      await page.waitForSelector(`main:has-text("${row.says}")`);
      await team.service.settles();
      const [first, ...others] = await audited();
      expect(others).toHaveLength(Math.max(0, before + (row.audit === null ? -1 : 0)));
      const by = { actor: 'admin of acme', channel: 'page', address: '127.0.0.1' };
      expect(row.audit === null ? {} : first).toMatchObject(row.audit === null ? {} : { ...row.audit, ...by });
      const { action, fields } = sent.at(-1)!;
      expect((await visitor.post(action, fields)).status).toBeLessThan(500);
      await team.service.settles();
      expect(await audited()).toHaveLength(before + (row.audit === null ? 0 : 1) + (row.repeats ? 1 : 0));
    },
  );

  it('attack 2: a read-only token or a token of another repository cannot send the forms of buttons', async () => {
    const { prisma, clock } = team.service;
    await team.queue('gadgets');
    const { id } = await prisma.repository.findFirstOrThrow({ where: { name: 'gadgets' } });
    const limited = { organizationSlug: 'acme', name: 'narrow', role: 'admin', repositoryIds: [id] } as const;
    const narrow = new Visitor(team.service.url);
    await narrow.signIn((await createToken(prisma, limited, clock.now())).token);
    const reader = new Visitor(team.service.url);
    await reader.signIn((await team.client('read')).token);
    const before = (await audited()).length;
    expect(sent).toHaveLength(BUTTON_ROWS.length);
    for (const { action, fields } of sent) {
      const ofReader = await reader.post(action, fields);
      const ofNarrow = await narrow.post(action, fields);
      expect([action, ofReader.status, [400, 404].includes(ofNarrow.status)]).toEqual([action, 403, true]);
    }
    for (const { at } of BUTTON_ROWS.filter(({ at }) => !['/ui', '/ui/webhooks'].includes(at(places))))
      expect([at(places), (await narrow.get(at(places))).status]).toEqual([at(places), 404]);
    expect(await audited()).toHaveLength(before);
  });
});

async function pressed(page: Page, { action, press }: ButtonRow): Promise<SentByButton> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === 'POST' && new URL(one.url()).pathname === action),
    press(page),
  ]);
  return { action, fields: Object.fromEntries(new URLSearchParams(request.postData() ?? '')) };
}

/** The URL path of a flaky test. */
async function testOf({ service: { prisma, clock } }: Team): Promise<string> {
  const { id: repositoryId } = await prisma.repository.findFirstOrThrow({ where: { name: 'storefront' } });
  const names = { name: 'opens the third picture', parent: 'Gallery', filePath: '', classname: '', variant: '' };
  const status = { status: 'flaky', statusReason: 'failed and passed on one commit', statusChangedAt: clock.now() };
  const quarantine = { quarantineSetting: 'unspecified', quarantined: false, quarantinedAt: null };
  const id = randomUUID();
  await prisma.testCase.create({
    data: { id, repositoryId, ...names, ...status, ...quarantine, codeowners: [], ticketUrl: '' },
  });
  return `/ui/tests/${id}`;
}
