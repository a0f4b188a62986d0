import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../src/examine-installation';
import { APP_EVENTS, permissionsByName } from '../../src/code-hosts/github/app-permissions';
import { ServiceProcesses } from '../../src/platform/health/service-processes';
import { WEBHOOK_SECRET } from '../support/hosts';
import { World } from '../support/world';
import { checkedByContract } from '../contract/github-host';
import { sluice } from './guide';

const VARIABLES = ['SLUICE_HOSTS', 'SLUICE_PUBLIC_URL', 'SLUICE_DATA_DIR', 'SLUICE_URL'] as const;
/** A URL at which no service listens. */
const NO_SERVICE = 'http://127.0.0.1:1';
const PUBLIC_URL = 'https://sluice.acme.example';
const TESTING = 'sluice-merge/**';

/** Runs `sluice doctor` in this process, on the database of the world, with an operator's environment. */
const doctor = async (...args: string[]): ReturnType<typeof sluice> => {
  setClocks();
  await running?.app.get(ServiceProcesses).beat();
  return sluice('doctor', ...args);
};

/** The world whose service is examined. Before each examination, this service records that it is running. */
let running: World | undefined;

/** Sets the worlds' clocks, which stand still, to the machine's time, which the doctor reads. */
let setClocks: () => void = () => undefined;

async function findings(): Promise<readonly Finding[]> {
  return JSON.parse((await doctor('--json')).out) as readonly Finding[];
}

async function problems(): Promise<string[]> {
  return (await findings()).filter(({ verdict }) => verdict === 'problem').map(({ what }) => what);
}

describe('sluice doctor on GitHub', () => {
  const exchanges = checkedByContract();
  let world: World;
  let folder: string;

  const configure = (settings: object): void => {
    const { apiUrl, gitUrl, appId, privateKey } = world.github;
    const usual = { apiUrl, gitUrl, appId, privateKey, webhookSecret: WEBHOOK_SECRET };
    process.env.SLUICE_HOSTS = JSON.stringify([{ host: world.repo.host, kind: 'github', ...usual, ...settings }]);
  };

  const advanceTo = (time: number): void => world.clock.advance(time - world.clock.now().getTime());
  const agree = (): void => advanceTo(Date.now());

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-doctor-'));
    process.env.SLUICE_DATA_DIR = folder;
    process.env.SLUICE_PUBLIC_URL = PUBLIC_URL;
    world = await World.create({ host: 'github', onExchange: exchanges.onExchange });
    await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
    world.githubRepository.openPullRequest({ 'a.txt': 'a\n' });
    await world.settles();
    world.github.webhooks.fateOf = () => 'dropped';
    world.github.webhooks.url = `${PUBLIC_URL}/webhooks/github/github.example`;
  });

  beforeEach(() => {
    setClocks = agree;
    running = world;
    configure({});
  });

  afterAll(async () => {
    setClocks = () => undefined;
    running = undefined;
    for (const name of VARIABLES) delete process.env[name];
    await world.close();
    rmSync(folder, { recursive: true, force: true });
    exchanges.assertFits();
  });

  it('finds no problem in a correct installation', async () => {
    const { exit, out, err } = await doctor();
    expect({ exit, err, out }).toEqual({
      exit: 0,
      err: '',
      out: expect.stringMatching(/No problem was found\.\n$/) as string,
    });
    expect(out).toMatch(/the newest delivery \(\w+\) arrived/);
    for (const words of [
      ...[
        'answers, with all migrations',
        'the app "Merge queue" is taken',
        'agree',
        'both sides have a secret',
        'to every event',
      ],
      ...['with every permission it needs', 'requests are left'],
      ...[`no ruleset stops testing branches ${TESTING}`, 'allows squash merging', 'waits for tests (of the queue)'],
    ])
      expect(out).toContain(words);
  });

  it('finds a branch whose name makes testing branches impossible', async () => {
    world.githubRepository.setBranch('sluice-merge', world.githubRepository.tip('main'));
    expect(await problems()).toEqual(['the branch sluice-merge is in the way of testing branches']);
    world.githubRepository.removeBranch('sluice-merge');
    expect(await problems()).toEqual([]);
  });

  it('names a missing permission, and the person who has to change something', async () => {
    world.github.setPermission('acme', 'contents', 'read');
    const raise = await doctor();
    world.github.register(permissionsByName());
    const accept = await doctor();
    world.github.setPermission('acme', 'contents', 'write');
    expect(raise).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^sluice: 1 problem\.\nBegin with github\.example\/acme\/widgets: Raise it/) as string,
    });
    expect(raise.out).toMatch(
      /PROBLEM +Contents is granted as "read", but "write" is needed: without it, nothing is tested/,
    );
    expect(raise.out).toMatch(
      /-> Raise it at http\S+\/organizations\/acme-tools\/settings\/apps\/sluice\/permissions; then/,
    );
    expect(accept.out).toMatch(/-> The app asks for it already; an owner accepts the request at http\S+/);
  });

  it('says where the app has to be installed', async () => {
    world.github.uninstall('acme');
    const { out, exit } = await doctor();
    world.github.install('acme');
    expect(exit).toBe(1);
    expect(out).toMatch(/the app is not installed here\n +-> Install it at http\S+\/apps\/sluice\/installations\/new/);
  });

  it('finds a webhook that cannot deliver', async () => {
    world.github.subscribeTo(['push']);
    world.github.webhooks.url = 'https://elsewhere.example/';
    const [newest] = world.github.webhooks.deliveries.filter(({ statusCode }) => statusCode !== null).slice(-1);
    newest!.statusCode = 401;
    const there = await problems();
    newest!.statusCode = 202;
    world.github.subscribeTo(APP_EVENTS.map(({ name }) => name));
    world.github.webhooks.url = `${PUBLIC_URL}/webhooks/github/github.example`;
    configure({ webhookSecret: undefined });
    const here = await problems();
    expect(there).toEqual([
      expect.stringContaining('elsewhere.example'),
      'the app does not receive: Check run, Issue comment, Pull request, Pull request review, Pull request review thread, Status',
      expect.stringMatching(/^the newest delivery \(\w+\) was answered with 401$/),
    ]);
    expect(here).toEqual(['deliveries are refused: the service has no webhook secret']);
  });

  it('accepts a missing webhook if polling is intended', async () => {
    world.github.webhooks.url = null;
    configure({ webhookSecret: undefined });
    const all = await findings();
    world.github.webhooks.url = `${PUBLIC_URL}/webhooks/github/github.example`;
    expect(all.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(all.map(({ what }) => what)).toContain('there is no webhook: changes are found by polling, every 60 s');
  });

  it('finds a wrong clock, and credentials of another app than the configured app', async () => {
    setClocks = () => advanceTo(Date.now() - 10 * 60_000);
    const late = await problems();
    setClocks = agree;
    configure({ appId: 1 });
    const another = await problems();
    expect(late).toEqual([
      expect.stringContaining('GitHub does not take the app'),
      expect.stringMatching(/^this clock is \d+ s ahead of the clock of GitHub$/),
    ]);
    expect(another).toEqual([expect.stringContaining('GitHub does not take the app')]);
  });

  it('finds branch rules that stop the queue, unless the app may bypass them', async () => {
    const { githubRepository, github } = world;
    githubRepository.protect(TESTING, { kind: 'ruleset', restrictsCreation: true });
    githubRepository.protect('main', { kind: 'ruleset', requiredContexts: ['tests'], strict: true });
    githubRepository.allowMergeMethods('merge');
    const stopped = await problems();
    githubRepository.protect(TESTING, { kind: 'ruleset', restrictsCreation: true, bypass: [github.bot] });
    githubRepository.protect('main', {
      kind: 'ruleset',
      requiredContexts: ['tests'],
      strict: true,
      bypass: [github.bot],
    });
    githubRepository.allowMergeMethods('merge', 'squash', 'rebase');
    const passing = await problems();
    githubRepository.unprotect(TESTING, 'ruleset');
    githubRepository.unprotect('main', 'ruleset');
    expect(stopped).toEqual([
      `testing branches ${TESTING} may not be created`,
      `testing branches ${TESTING} may not be removed, so they would accumulate`,
      'the repository does not allow squash merging',
      expect.stringContaining('up to date'),
    ]);
    expect(passing).toEqual([]);
  });

  it('reports classic protection as something that the app cannot read', async () => {
    world.githubRepository.protect('main', { requiredContexts: ['tests'] });
    const all = await findings();
    world.githubRepository.unprotect('main');
    expect(all.filter(({ verdict }) => verdict !== 'ok').map(({ what }) => what)).toEqual([
      'the classic protection of the branch: GitHub shows it only to administrators of the repository',
    ]);
  });

  it('finds a queue whose decisions fail', async () => {
    await world.prisma.queue.updateMany({ data: { failures: 3 } });
    const stands = await problems();
    await world.prisma.queue.updateMany({ data: { failures: 0 } });
    expect(stands).toEqual(['the queue is blocked: decisions that failed in a row: 3']);
  });

  it('finds a queue that waits for no status', async () => {
    await world.updateQueue({ requiredStatuses: [] });
    const waits = await problems();
    await world.updateQueue({ requiredStatuses: ['tests'] });
    expect(waits).toEqual([
      'Neither the queue, .sluice/sluice.yaml nor the protection of main names a required status',
    ]);
  });

  it.each([
    ['an app', {}],
    ['a token', { appId: undefined, privateKey: undefined, token: 'ghp_robot' }],
  ])('ends with exit code 1 if GitHub does not answer, with %s', async (_, settings) => {
    configure(settings);
    world.github.faults.goDown();
    const { exit, out, err } = await doctor();
    world.github.faults.recover();
    expect(exit).toBe(1);
    expect(err).toMatch(
      /^sluice: 1 problem; \d+ not known\.\nBegin with github\.example: Check the entry of the code host/,
    );
    expect(out).toMatch(/github\.example\n +ok +git version .*\n +PROBLEM +does not answer: /);
  });

  it('works with the token of a user, whose permissions GitHub shows for each repository', async () => {
    world.githubRepository.changePermission('robot', 'write');
    configure({ appId: undefined, privateKey: undefined, token: world.github.createUserToken('robot') });
    expect(await problems()).toEqual([]);
  });

  it('shows problems of the configuration or the database first', async () => {
    process.env.SLUICE_HOSTS = '[';
    const hosts = await problems();
    configure({ privateKey: undefined });
    const key = await problems();
    configure({});
    const { DATABASE_URL } = process.env;
    process.env.DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/none';
    const database = await findings();
    process.env.DATABASE_URL = '';
    const none = await problems();
    process.env.DATABASE_URL = DATABASE_URL;
    expect(hosts).toEqual(['SLUICE_HOSTS must be valid JSON']);
    expect(key).toEqual([expect.stringMatching(/^SLUICE_HOSTS: github\.example needs either "appId" with/)]);
    expect(database.slice(-2)).toMatchObject([
      { verdict: 'problem', what: expect.stringMatching(/^does not answer: .*ECONNREFUSED/) as string },
      { verdict: 'unknown', about: 'Code hosts' },
    ]);
    expect(none).toEqual([`there is no database yet in ${folder}`]);
  });
});

describe('sluice doctor on plain git', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'git' });
    await world.createQueue();
    running = world;
    const { host } = world.repo;
    process.env.SLUICE_HOSTS = JSON.stringify([{ host, kind: 'git', url: world.git.urlTemplate }]);
    process.env.SLUICE_DATA_DIR = world.git.dataDirectory;
  });

  afterAll(async () => {
    running = undefined;
    for (const name of VARIABLES) delete process.env[name];
    await world.close();
  });

  it('says who runs the tests, which statuses a queue waits for, and what is missing', async () => {
    const { out, exit } = await doctor();
    expect(exit).toBe(1);
    expect(out).toMatch(/the check runner is off: for plain git hosts, CI must report the statuses/);
    expect(out).toMatch(/git\.example\n +ok +git version/);
    expect(out).toMatch(/git\.example\/acme\/widgets\n +ok +answers as a git repository/);
    expect(out).toMatch(/PROBLEM +Neither the queue, \.sluice\/sluice\.yaml nor the protection of main names/);
    const tests = 'merge: { required_statuses: [tests] }\n';
    world.git.pushTo('main', { '.sluice/sluice.yaml': tests });
    expect((await doctor()).out).toMatch(/waits for tests \(of the configuration file\)[\s\S]*No problem was found/);
    world.git.removeBranch('main');
    expect(await problems()).toEqual(['the branch does not exist']);
  });

  it('describes the running service, not the environment of the shell', async () => {
    const { prisma, app } = world;
    app.get(ServiceProcesses).tell({ checks: { type: 'runs', confinement: { type: 'namespaces' } } });
    await app.get(ServiceProcesses).beat();
    const { out } = await doctor();
    await prisma.serviceProcess.deleteMany();
    expect(out).toContain('each with namespaces of its own');
    expect(out).not.toContain('the check runner is off');
    expect(out).toContain(`process ${process.pid} on ${hostname()} runs version`);
  });

  it('ends with exit code 1 if the database has a queue and no process of the service runs', async () => {
    running = undefined;
    await world.prisma.serviceProcess.deleteMany();
    const { exit, out } = await doctor();
    running = world;
    expect(exit).toBe(1);
    expect(out).toMatch(
      /PROBLEM +no process runs on this database, which has one queue: nothing is tested or merged\n +-> Start/,
    );
  });

  it('ends with exit code 1 if no service answers at SLUICE_URL, and reports no such problem if one answers', async () => {
    process.env.SLUICE_URL = NO_SERVICE;
    const { exit } = await doctor();
    const silent = await findings();
    process.env.SLUICE_URL = world.url;
    const answering = await findings();
    delete process.env.SLUICE_URL;
    expect(exit).toBe(1);
    expect(silent.filter(({ about }) => about === NO_SERVICE)).toMatchObject([
      { verdict: 'problem', what: 'no service answers: ECONNREFUSED' },
    ]);
    expect(answering.filter(({ about }) => about === world.url)).toMatchObject([
      { verdict: 'ok', what: 'the service answers, and is ready' },
    ]);
  });

  it('examines no database if --url is given and this machine has no database', async () => {
    const { DATABASE_URL, SLUICE_DATA_DIR } = process.env;
    process.env.DATABASE_URL = '';
    process.env.SLUICE_DATA_DIR = join(tmpdir(), 'sluice-no-folder');
    const { exit, out } = await sluice('doctor', '--url', NO_SERVICE);
    Object.assign(process.env, { DATABASE_URL, SLUICE_DATA_DIR });
    expect(exit).toBe(1);
    expect(out).toMatch(/PROBLEM +no service answers: ECONNREFUSED\n +-> Start it/);
    expect(out).toMatch(/The database\n +\? +this machine has no database of a service/);
    expect(out).not.toContain('Code hosts');
  });

  it('lists, without a token, the parts that it cannot examine from outside', async () => {
    const { out } = await doctor('--url', world.url);
    expect(out).toMatch(/ok +no TLS, and none is needed on this machine/);
    expect(out).toMatch(/\? +proxy, event streams and body size: without a token, .*\n +-> Pass --token/);
  });

  it('names tokens of an earlier version that have more permissions than their role', async () => {
    const { id: organizationId } = await world.prisma.organization.findFirstOrThrow();
    const old = { organizationId, role: 'submit', roleVersion: 1, createdAt: world.clock.now() };
    for (const name of ['old ci', 'gone'])
      await world.prisma.apiToken.create({ data: { ...old, id: randomUUID(), name, hash: name } });
    await world.prisma.apiToken.updateMany({ where: { name: 'gone' }, data: { revokedAt: world.clock.now() } });
    expect((await findings()).filter(({ about }) => about.startsWith('The token'))).toEqual([
      {
        verdict: 'ok',
        about: 'The token old ci of acme',
        what: 'has more permissions than its role submit: an earlier version created it, and it may still report statuses',
        advice: 'Rotate it: sluice token rotate --org acme --name "old ci"',
      },
    ]);
    const list = (await sluice('token', 'list', '--org', 'acme')).out;
    expect(list).toMatch(/old ci +submit +none +never +valid, wider than its role: rotate it\n/);
    expect(list.match(/wider/g)).toHaveLength(1);
  });

  it('names a code host that has repositories but is no longer configured', async () => {
    process.env.SLUICE_HOSTS = '';
    const [finding] = (await findings()).filter(({ verdict }) => verdict === 'problem');
    expect(finding).toMatchObject({
      about: 'git.example',
      what: 'has repositories in the database, but is not configured',
    });
  });
});
