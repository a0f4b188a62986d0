import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { checkedByGitLab } from '../contract/gitlab-host';
import { emptyDatabase } from '../support/empty-database';
import { GitLabDouble } from '../support/gitlab/gitlab-double';
import { GitLabPlace } from '../support/gitlab/place';
import type { Project } from '../support/gitlab/state';
import { GUIDE_LIMIT_MS, knownOf, pushedTestingBranch, Shell, sluice, type Step, stepsOf, walk } from './guide';
import type { StartedService } from './stop/started-service';

const HOST = 'git.acme.example';
const WEBHOOK = `https://sluice.acme.example/webhooks/gitlab/${HOST}`;
const SECRET = 'as openssl rand would print it';
const JOB = 'test';
const LABEL = 'sluice-merge-queue-submit';
const MAINTAINER = 40;

jest.setTimeout(GUIDE_LIMIT_MS);

describe('docs/gitlab.md', () => {
  const exchanges = checkedByGitLab();
  let folder: string;
  let gitlab: GitLabDouble;
  let shop: Project;
  let place: GitLabPlace;
  let service: StartedService | undefined;
  let shell: Shell;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-guide-'));
    const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
    await emptyDatabase(prisma);
    await prisma.$disconnect();
    gitlab = await GitLabDouble.start({ onExchange: exchanges.onExchange });
    shop = gitlab.createProject('acme', 'shop');
    place = new GitLabPlace(shop);
    shop.members.set('grace', MAINTAINER);
    gitlab.state.accounts.of('grace');
    gitlab.state.tokenFacts = { scopes: ['api'], expires_at: null };
    writeFileSync(join(folder, 'gitlab-token'), gitlab.createToken());
    writeFileSync(join(folder, 'webhook-secret'), `${SECRET}\n`);
    const { PATH = '', DATABASE_URL = '' } = process.env;
    shell = new Shell(join(folder, 'sluice.socket'), { PATH, DATABASE_URL, SLUICE_DATA_DIR: folder });
  });

  afterAll(async () => {
    shell.close();
    service?.terminate();
    await service?.ended;
    await gitlab.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The text of the document; only paths and URLs are replaced. */
  const here = (text: string): string =>
    text.replaceAll('/etc/sluice', folder).replaceAll('http://localhost:3000', service?.url ?? '');

  const follow = async ({ file, text }: Step): Promise<string> => {
    if (file === null) return shell.run(here(text));
    const [host] = JSON.parse(here(text)) as [object];
    writeFileSync(here(file), JSON.stringify([{ ...host, gitUrl: gitlab.gitUrl }]));
    return '';
  };

  it('takes a team from an empty project to its first merge when it is followed literally', async () => {
    const printed = await walk(stepsOf('docs/gitlab.md'), {
      async followed(step) {
        const said = await follow(step);
        // In this test, deliveries go directly to the service. In production, a proxy would end TLS in front of it.
        if (step.text.includes('gitlab prepare'))
          gitlab.webhooks.deliverTo(`${service?.url}/webhooks/gitlab/${HOST}`, shop.hooks[0]?.token);
        return said;
      },
      async started() {
        service = await shell.startService();
      },
      async said(words) {
        const pushed = pushedTestingBranch(gitlab.webhooks);
        place.openPullRequest({ 'price.txt': '12\n' }, { by: 'ada' });
        place.comment(1, words, 'grace');
        place.setStatus(place.tip(await pushed), JOB, 'success');
      },
      known: () => knownOf(gitlab, place, service),
    });
    expect(shop.mergeRequests.get(1)?.state).toBe('merged');
    expect(printed.find((text) => text.includes('No problem was found'))).toBeDefined();
    expect(printed.at(-1)).toMatch(/#1 .*: merged \(merge_graph_merge\)/);
    expect(shop.hooks).toMatchObject([{ url: WEBHOOK, token: SECRET, note_events: true, job_events: true }]);
    expect([...shop.protectedBranches]).toEqual([['main', MAINTAINER]]);
    expect(shop.labels).toEqual([LABEL]);
    exchanges.assertFits();
  });

  const prepare = async (...more: string[]): ReturnType<typeof sluice> => {
    const before = process.env;
    process.env = { ...before, ...shell.environment };
    return sluice('gitlab', 'prepare', `${HOST}/acme/shop`, ...more).finally(() => (process.env = before));
  };
  const outcomes = async (...more: string[]): Promise<string> => {
    const done = JSON.parse((await prepare('--json', ...more)).out) as { outcome: string }[];
    return done.map(({ outcome }) => outcome).join();
  };

  it('prepares a project again without repeating steps, and adds the service to an existing rule', async () => {
    const facts = (): string => inspect([shop.hooks, shop.pushUsers, shop.pushLevels, shop.labels], { depth: 4 });
    shop.pushLevels.set('main', null);
    shop.namesUsers = true;
    shop.hooks = [{ ...shop.hooks[0]!, token: 'another', note_events: false }];
    const unchanged = facts();
    expect(await prepare('--dry-run')).toMatchObject({ exit: 0, out: expect.stringMatching(/^to do +/) as string });
    expect(facts()).toBe(unchanged);
    expect(await outcomes()).toBe('done,done,was so,was so');
    expect(shop.pushUsers.get('main')).toEqual([gitlab.state.accounts.of(gitlab.bot).id]);
    expect(shop.hooks).toMatchObject([{ token: SECRET, note_events: true }]);
    expect(await outcomes()).toBe('done,was so,was so,was so');

    shop.world.setBranch('release/1', shop.world.tip('main'));
    expect(await outcomes('--branch', 'release/1')).toBe('done,was so,was so,was so');
    expect(shop.protectedBranches.has('release/1')).toBe(false);
    expect(await outcomes('--branch', 'release/1', '--protect')).toBe('done,done,was so,was so');
    expect([shop.pushLevels.get('release/1'), shop.pushUsers.get('release/1')]).toEqual([
      null,
      [gitlab.state.accounts.of(gitlab.bot).id],
    ]);
    exchanges.assertFits();
  });

  it('names the steps left for people: a rule, role or plan that forbids something, and a disabled webhook', async () => {
    const token = readFileSync(join(folder, 'gitlab-token'), 'utf8');
    const left = async (): Promise<string> => {
      const { exit, out, err } = await prepare();
      expect([exit, `${out}${err}`.includes(token) || `${out}${err}`.includes(SECRET)]).toEqual([1, false]);
      return out.match(/^LEFT .*\n.*$/gm)?.join('\n') ?? '';
    };
    shop.namesUsers = false;
    shop.pushUsers.clear();
    shop.hooks = [{ ...shop.hooks[0]!, alert_status: 'disabled' }];
    shop.protectedBranches.set('sluice-*', MAINTAINER);
    const all = await left();
    expect(all.match(/^LEFT /gm)).toHaveLength(3);
    expect(all).toContain('GitLab has switched it off after failures\n       -> Test the webhook on its page');
    expect(all).toContain(`${gitlab.bot} may not push to main: this GitLab plan cannot name single users`);
    expect(all).toContain('the protection of "sluice-*" also applies to testing branches, sluice-merge/…');

    shop.protectedBranches.clear();
    gitlab.faults.answer('protectBranch', 422, 'Push access levels user does not exist');
    expect((await prepare('--protect')).out).toContain(
      'done   a rule for main, by which Maintainers push to it: this GitLab plan cannot name single users',
    );

    shop.members.set(gitlab.bot, 30);
    const asDeveloper = await left();
    expect(asDeveloper).toContain('the webhook: 403 Forbidden\n       -> Add a webhook to');
    expect(asDeveloper).toContain(`main: 403 Forbidden\n       -> Add ${gitlab.bot}, or its role`);
    const before = process.env;
    process.env = { ...before, ...shell.environment };
    const elsewhere = await sluice('gitlab', 'prepare', 'other.example/a/b').finally(() => (process.env = before));
    expect(elsewhere.err).toContain('SLUICE_HOSTS has no host other.example of kind "gitlab"');
    exchanges.assertFits();
  });
});
