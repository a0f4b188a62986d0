import type { AuditItem } from '../../src/modules/audit/dto/audit.dto';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import type { Role } from '../../src/platform/requests/roles';
import { createToken } from '../../src/platform/auth/tokens';
import type { Client } from './client';
import { Service } from './service';
import { type PageAnswer, Visitor } from './visitor';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const PLACE = { repo: 'memory.example/acme/widgets', branch: 'main' };
const QUEUE = `/ui/queue?${new URLSearchParams(PLACE).toString()}`;
const ID = 'c0a8012e-7b1f-4d7a-9c3e-2f4b6d8e0a1c';
const EVIL = '"><script>alert(1)</script>';

const pathOf = (number: number) =>
  `/ui/pull-request?${new URLSearchParams({ ...PLACE, number: String(number) }).toString()}`;
const actionsIn = ({ text }: PageAnswer) =>
  [...text.matchAll(/<form[^>]*method="post"[^>]*action="([^"?]*)/g)].map(([, action]) => action).sort();
/** The hidden fields of the form with this action, as the page has them. */
function fieldsOf({ text }: PageAnswer, action: string): Record<string, string> {
  const form = text.split('<form').find((part) => new RegExp(`action="${action}["?]`).test(part));
  if (form === undefined) throw new Error(`There is no form for ${action}.`);
  const hidden = form.split('</form>')[0]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...hidden].map(([, name, value]) => [name!, value!]));
}

describe('The forms of pages', () => {
  let service: Service;
  let host: MemoryRepository;
  let admin: Client;

  beforeEach(async () => {
    service = await Service.inMemory({ rateLimitPerMinute: 0 });
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
    await admin.post('createQueue', { ...MAIN, requiredStatuses: ['unit'] });
    for (const number of [1, 2, 3]) host.openPullRequest(number, { title: `Change ${number}`, author: 'ada' });
  });
  afterEach(() => service.stop());

  async function visitor(role: Role): Promise<Visitor> {
    const one = new Visitor(service.url);
    await one.signIn((role === 'admin' ? admin : await service.client('acme', role)).token);
    return one;
  }

  async function submit(number: number): Promise<void> {
    await admin.post('submitPullRequest', { ...MAIN, pr: { number } });
    await service.settles();
  }

  async function stateOf(number: number): Promise<string> {
    const { body } = await admin.post('getSubmittedPullRequest', { ...MAIN, pr: { number } });
    return String(body.state);
  }

  /** Records of the audit log that pages caused, with their actors, the newest first. */
  async function audited(): Promise<Pick<AuditItem, 'actor' | 'action' | 'address' | 'from' | 'to'>[]> {
    const { items } = (await admin.get('audit')).body as unknown as { readonly items: readonly AuditItem[] };
    return items
      .filter(({ channel }) => channel === 'page')
      .map(({ actor, action, address, from, to }) => ({ actor, action, address, from, to }));
  }

  /** Presses the button of a form, with the values that the form has on the page. */
  async function press(
    person: Visitor,
    page: string,
    action: string,
    typed: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const answer = await person.post(action, { ...fieldsOf(await person.get(page), action), ...typed });
    await service.settles();
    return answer;
  }

  it.each([
    ['queue/pause', PLACE, QUEUE],
    ['queue/submit', {}, '/ui'],
    ['pull-request/cancel', { ...PLACE, number: '7' }, pathOf(7)],
    ['settings/preview', PLACE, QUEUE.replace('/ui/queue', '/ui/settings')],
    ['settings/delete', { repo: 'nothing' }, '/ui'],
    ['tests/quarantine', { test: ID }, `/ui/tests/${ID}`],
    ['webhooks/rotate', { webhook: ID }, `/ui/webhooks/${ID}`],
    ['webhooks/delete', { webhook: ID }, '/ui/webhooks'],
    ['webhooks/create', { webhook: '//evil.example' }, '/ui/webhooks'],
    ['queues/create', {}, '/ui'],
    ['sign-out', {}, '/ui'],
  ])(
    '/ui/%s, opened with GET after a reload, redirects to the page that has the form',
    async (form, question, expected) => {
      const address = `/ui/${form}?${new URLSearchParams(question).toString()}`;
      const { status, to } = await (await visitor('admin')).get(address);
      expect([status, to]).toEqual([303, expected]);
    },
  );

  it('have their page in the URL, so that an answer with an error or a secret can be reloaded', async () => {
    const one = await visitor('admin');
    const hook = await admin.post('createWebhook', { name: 'known', url: 'https://hooks.example/known/for/long' });
    const { id } = (hook.body as unknown as { webhook: { id: string } }).webhook;
    for (const path of [QUEUE, QUEUE.replace('/ui/queue', '/ui/settings'), `/ui/webhooks/${id}`]) {
      const page = await one.get(path);
      const addresses = [...page.text.matchAll(/form(?:[^>]*method="post"[^>]*)?action="([^"]+)"/g)].map(
        ([, it]) => it!,
      );
      const others = addresses.filter((address) => address !== '/ui/sign-out').map((it) => it.replaceAll('&amp;', '&'));
      expect(others.length).toBeGreaterThan(1);
      for (const address of others) {
        const { status, to } = await one.get(address);
        const leadsTo = address.includes('/webhooks/delete') ? '/ui/webhooks' : path;
        expect([address, status === 200 ? address : to]).toEqual([address, leadsTo]);
      }
    }
  });

  it('point 12: show each role only the buttons that it may use', async () => {
    await submit(1);
    await submit(2);
    const queue = ['/ui/queue/empty', '/ui/queue/pause', '/ui/queue/submit'];
    const seen = await Promise.all(
      (['read', 'submit', 'admin'] as const).map(async (role) => {
        const one = await visitor(role);
        return [QUEUE, pathOf(1), pathOf(2)].map(async (path) => actionsIn(await one.get(path)));
      }),
    );
    const [read, submits, admins] = await Promise.all(seen.map((pages) => Promise.all(pages)));
    const out = '/ui/sign-out';
    const ofOne = (...acts: string[]) => [...acts.map((act) => `/ui/pull-request/${act}`), out];
    const each = [ofOne('cancel', 'restart', 'submit'), ofOne('cancel', 'promote', 'submit')];
    expect(read).toEqual([[out], [out], [out]]);
    expect(submits).toEqual([['/ui/queue/submit', out], ...each]);
    expect(admins).toEqual([[...queue, out], ...each]);
  });

  it('attack 2: are refused from people who may not use the button', async () => {
    await submit(1);
    const reader = await visitor('read');
    const submitter = await visitor('submit');
    const one = { ...PLACE, number: '1', attempt: '1' };
    const refused = [
      ...(await Promise.all(
        ['submit', 'cancel', 'restart', 'promote'].map((act) => reader.post(`/ui/pull-request/${act}`, one)),
      )),
      ...(await Promise.all(['pause', 'resume', 'empty'].map((act) => submitter.post(`/ui/queue/${act}`, PLACE)))),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect(await stateOf(1)).toBe('testing');
  });

  it('attack: are ignored if another site sends them', async () => {
    await submit(1);
    const person = await visitor('admin');
    const { status } = await person.post(
      '/ui/pull-request/cancel',
      { ...PLACE, number: '1', attempt: '1' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    );
    expect([status, await stateOf(1)]).toEqual([403, 'testing']);
  });

  it('are not shown to a token of another repository, and are refused from that token', async () => {
    await submit(1);
    service.memory.repository('acme', 'gadgets');
    await admin.post('createQueue', { repo: { ...REPO, name: 'gadgets' }, targetBranch: 'main' });
    const gadgets = await service.prisma.repository.findFirstOrThrow({ where: { name: 'gadgets' } });
    const limited = { organizationSlug: 'acme', name: 'narrow', role: 'admin', repositoryIds: [gadgets.id] } as const;
    const { token } = await createToken(service.prisma, limited, service.clock.now());
    const narrow = new Visitor(service.url);
    await narrow.signIn(token);
    expect((await narrow.get(QUEUE)).status).toBe(404);
    expect((await narrow.post('/ui/queue/pause', { ...PLACE, pauseReason: 'x' })).status).toBe(404);
    const cancelled = await narrow.post('/ui/pull-request/cancel', { ...PLACE, number: '1', attempt: '1' });
    expect([cancelled.status, await stateOf(1)]).toEqual([404, 'testing']);
  });

  it('submit, change the priority, promote, restart and cancel; each of these is in the audit log', async () => {
    const person = await visitor('submit');
    const { to, status } = await press(person, QUEUE, '/ui/queue/submit', { number: '#1' });
    expect([status, to]).toEqual([303, `${pathOf(1)}&done=submitted`]);
    expect((await person.get(to)).text).toContain('Submitted.');
    await submit(2);
    await press(person, pathOf(2), '/ui/pull-request/submit', { priority: 'low' });
    await press(person, pathOf(2), '/ui/pull-request/promote');
    service.clock.advance(1_000);
    await press(person, pathOf(1), '/ui/pull-request/restart');
    await press(person, pathOf(2), '/ui/pull-request/cancel');
    expect([await stateOf(1), await stateOf(2)]).toEqual(['testing', 'cancelled']);
    const all = (await audited()).reverse();
    expect(all.map(({ action }) => action)).toEqual([
      'pull_request.submitted',
      'pull_request.submitted',
      'pull_request.promoted',
      'pull_request.restarted',
      'pull_request.cancelled',
    ]);
    expect(new Set(all.map(({ actor, address }) => `${actor} ${address}`))).toEqual(
      new Set(['submit of acme 127.0.0.1']),
    );
    expect(all[1]).toMatchObject({ from: { priority: 100 }, to: { priority: 200 } });
    expect(all[4]).toMatchObject({ from: { state: 'pending' }, to: { state: 'cancelled' } });
  });

  it('have one effect when they are sent twice', async () => {
    await submit(1);
    const person = await visitor('submit');
    const page = await person.get(pathOf(1));
    service.clock.advance(1_000);
    const send = async (act: string, fields: Record<string, string>) => {
      const { to } = await person.post(`/ui/pull-request/${act}`, fields);
      await service.settles();
      return to.split('done=')[1];
    };
    const restart = fieldsOf(page, '/ui/pull-request/restart');
    expect([await send('restart', restart), await send('restart', restart)]).toEqual(['restarted', 'moved']);
    const cancel = fieldsOf(page, '/ui/pull-request/cancel');
    expect([await send('cancel', cancel), await send('cancel', cancel)]).toEqual(['cancelled', 'cancelled']);
    const again = fieldsOf(await person.get(pathOf(1)), '/ui/pull-request/submit');
    expect([await send('submit', again), await send('submit', again)]).toEqual(['submitted', 'moved']);
    expect(await send('cancel', cancel)).toBe('moved');
    expect(await stateOf(1)).toBe('testing');
    expect((await audited()).map(({ action }) => action).reverse()).toEqual([
      'pull_request.restarted',
      'pull_request.cancelled',
      'pull_request.submitted',
    ]);
  });

  it('pause with a reason that waiting people see, and resume; both are in the audit log', async () => {
    const person = await visitor('admin');
    const { status, text } = await press(person, QUEUE, '/ui/queue/pause', { pauseReason: ' ', state: 'draining' });
    expect(status).toBe(400);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /<details class="act" open> .*id="pause-reason-problem">It must say why/,
    );
    expect(text).toMatch(/value="draining"\s+selected/);
    const { to } = await press(person, QUEUE, '/ui/queue/pause', {
      pauseReason: `release day ${EVIL}`,
      state: 'paused',
    });
    const paused = await person.get(to);
    expect(paused.text).toContain('release day &quot;&gt;&lt;script&gt;');
    expect(actionsIn(paused)).toEqual(['/ui/queue/empty', '/ui/queue/resume', '/ui/queue/submit', '/ui/sign-out']);
    await press(person, QUEUE, '/ui/queue/resume');
    expect(await audited()).toMatchObject([
      { action: 'queue.updated', from: { state: 'paused' }, to: { state: 'running', pauseReason: null } },
      { action: 'queue.updated', from: { state: 'running' }, to: { state: 'paused' } },
    ]);
  });

  it('cancel everything after a confirmation, which is in the audit log', async () => {
    await submit(1);
    await submit(2);
    const person = await visitor('admin');
    await press(person, QUEUE, '/ui/queue/empty');
    expect([await stateOf(1), await stateOf(2)]).toEqual(['cancelled', 'cancelled']);
    const [first, ...others] = await audited();
    // The order of the cancelled pull requests is not checked in this test.
    const { cancelled } = first!.to as { readonly cancelled: readonly number[] };
    expect([first!.action, cancelled.toSorted(), others]).toEqual(['queue.all_cancelled', [1, 2], []]);
  });

  it.each([
    ['no number', { number: EVIL, priority: 'high' }, 400, 'It must be an integer from 1'],
    ['an unknown one', { number: '99', priority: 'high' }, 404, 'has no pull request 99'],
  ])('show why they were refused, and keep the typed values: %s', async (_, typed, status, why) => {
    const person = await visitor('submit');
    const answer = await press(person, QUEUE, '/ui/queue/submit', typed);
    expect([answer.status, answer.text.includes(why), answer.text.includes('<script>alert')]).toEqual([
      status,
      true,
      false,
    ]);
    expect(answer.text).toMatch(/<option value="high" selected>/);
    expect(answer.text.match(/<details class="act"\s+open>/g)).toHaveLength(1);
  });
});
