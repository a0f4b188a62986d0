import type { AuditItem } from '../../src/modules/audit/dto/audit.dto';
import { QUEUE_SETTINGS } from '../../src/domain/queue-settings';
import type { Client } from './client';
import { Service } from './service';
import { Visitor } from './visitor';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const PLACE = { repo: 'memory.example/acme/widgets', branch: 'main' };
const SETTINGS = `/ui/settings?${new URLSearchParams(PLACE).toString()}`;

describe('The settings page of a queue', () => {
  let service: Service;
  let admin: Client;
  let visitor: Visitor;

  beforeAll(async () => {
    service = await Service.inMemory({ rateLimitPerMinute: 0 });
    service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
    const freezeWindows = [{ days: ['friday'], from: '16:00', to: '24:00', timeZone: 'Europe/Berlin' }];
    await admin.post('createQueue', { ...MAIN, requiredStatuses: ['unit', 'e2e'], freezeWindows });
    visitor = new Visitor(service.url);
    await visitor.signIn(admin.token);
  });
  afterAll(() => service.stop());

  /** Sends a form as a browser does. Only the fields in `typed` have other values than on the page. */
  async function send(action: string, typed: Record<string, string>) {
    const { text } = await visitor.get(SETTINGS);
    const hidden = [...text.matchAll(/<input\s+type="hidden"\s+name="(was\.[^"]*)"\s+value="([^"]*)"/g)];
    const was = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]));
    const values = Object.fromEntries(Object.entries(was).map(([name, value]) => [name.slice(4), value]));
    return visitor.post(action, { ...PLACE, ...was, ...values, ...typed });
  }

  const queue = async () => (await admin.post('getQueue', MAIN)).body as unknown as Record<string, unknown>;

  it('shows every setting with its meaning, and the creator of the queue', async () => {
    const { status, text } = await visitor.get(SETTINGS);
    expect(status).toBe(200);
    const named = [...text.matchAll(/name="was\.([^"]*)"/g)].map(([, name]) => name!);
    expect(named.toSorted()).toEqual(
      Object.keys(QUEUE_SETTINGS)
        .filter((name) => name !== 'pauseReason')
        .toSorted(),
    );
    expect(text).toContain('friday 16:00-24:00 Europe/Berlin');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(/Changes and their authors.*admin of acme<\/b>: created/);
  });

  it('saves only changed settings, once, and the audit log names the person', async () => {
    await admin.post('updateQueue', { ...MAIN, testingTimeoutMinutes: 60 });
    const typed = { concurrency: '4', requiredStatuses: 'unit\r\nlint\r\n', batch: 'true', maxMergesPerHour: '10' };
    const stale = { testingTimeoutMinutes: '300', 'was.testingTimeoutMinutes': '300' };
    const { status, to } = await send('/ui/settings', { ...typed, ...stale });
    expect([status, to]).toEqual([303, `${SETTINGS}&done=saved`]);
    expect(await queue()).toMatchObject({
      ...{ concurrency: 4, requiredStatuses: ['unit', 'lint'], batch: true, maxMergesPerHour: 10 },
      testingTimeoutMinutes: 60,
    });
    const { items } = (await admin.get('audit')).body as unknown as { readonly items: readonly AuditItem[] };
    expect(items[0]).toMatchObject({ channel: 'page', action: 'queue.updated', from: { concurrency: 1 } });
    const page = (await visitor.get(to)).text.replaceAll(/\s+/g, ' ');
    expect(page).toContain('Saved.');
    expect(page).toMatch(/Concurrency 1 → 4.*on a page, from 127\.0\.0\.1/);
    expect((await send('/ui/settings', {})).to).toBe(`${SETTINGS}&done=unchanged`);
    await send('/ui/settings', { maxMergesPerHour: '', freezeWindows: 'monday tuesday 09:00-10:00 UTC except 0' });
    expect(await queue()).toMatchObject({
      maxMergesPerHour: null,
      freezeWindows: [
        { days: ['monday', 'tuesday'], from: '09:00', to: '10:00', timeZone: 'UTC', exceptPriorityAtMost: 0 },
      ],
    });
  });

  it('shows a refusal next to its field, with the typed value, and saves nothing', async () => {
    const before = await queue();
    const { status, text } = await send('/ui/settings', {
      concurrency: '<b>many',
      batchingMinSize: '9',
      freezeWindows: 'x',
    });
    expect([status, await queue()]).toEqual([400, before]);
    expect(text).toContain('value="&lt;b&gt;many"');
    expect(text).toMatch(/id="s-concurrency-problem">It must be an integer from 1 to/);
    expect(text).toMatch(/id="s-freezeWindows-problem">It must be/);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('was 4</span>');
  });

  it('predicts the effect by replay before anything is saved', async () => {
    const before = await queue();
    service.memory.repository('acme', 'widgets').openPullRequest(1, { title: 'One', author: 'ada' });
    await admin.post('submitPullRequest', { ...MAIN, pr: { number: 1 } });
    await service.settles();
    service.clock.advance(60_000);
    await admin.post('cancelPullRequest', { ...MAIN, pr: { number: 1 } });
    await service.settles();
    const { status, text } = await send('/ui/settings/preview', { concurrency: '7' });
    expect([status, await queue()]).toEqual([200, before]);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /class="cmp".*would be<\/th>.*<th scope="row">Merged<\/th> <td>0<\/td>/,
    );
    expect(text).toContain('value="7"');
  });

  it('point 12: is read-only without the permission, and its forms are refused', async () => {
    const reader = new Visitor(service.url);
    await reader.signIn((await service.client('acme', 'submit')).token);
    const { status, text } = await reader.get(SETTINGS);
    expect([status, text.includes('/ui/settings"'), text.includes('Changes and their authors')]).toEqual([
      200,
      false,
      false,
    ]);
    const sent = await Promise.all(['/ui/settings', '/ui/settings/preview'].map((path) => reader.post(path, PLACE)));
    expect(sent.map((answer) => answer.status)).toEqual([403, 403]);
  });
});
