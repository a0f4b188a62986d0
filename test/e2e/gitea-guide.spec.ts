import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { checkedByGitea } from '../contract/gitea-host';
import { emptyDatabase } from '../support/empty-database';
import { GiteaDouble } from '../support/gitea/gitea-double';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { GUIDE_LIMIT_MS, knownOf, pushedTestingBranch, Shell, sluice, type Step, stepsOf, walk } from './guide';
import type { StartedService } from './stop/started-service';

const HOST = 'git.acme.example';
const WEBHOOK = `https://sluice.acme.example/webhooks/gitea/${HOST}`;
const SECRET = 'as openssl rand would print it';
const STATUS = 'tests / unit (pull_request)';
const LABEL = 'sluice-merge-queue-submit';

jest.setTimeout(GUIDE_LIMIT_MS);

describe('docs/gitea.md', () => {
  const exchanges = checkedByGitea();
  let folder: string;
  let gitea: GiteaDouble;
  let shop: GiteaRepositoryDouble;
  let service: StartedService | undefined;
  let shell: Shell;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-guide-'));
    const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
    await emptyDatabase(prisma);
    await prisma.$disconnect();
    gitea = await GiteaDouble.start({ onExchange: exchanges.onExchange });
    shop = gitea.createRepository('acme', 'shop');
    shop.changePermission(gitea.bot, 'admin');
    shop.changePermission('grace', 'write');
    shop.record.allowsManualMerge = false;
    writeFileSync(join(folder, 'gitea-token'), gitea.createToken());
    writeFileSync(join(folder, 'webhook-secret'), `${SECRET}\n`);
    const { PATH = '', DATABASE_URL = '' } = process.env;
    shell = new Shell(join(folder, 'sluice.socket'), { PATH, DATABASE_URL, SLUICE_DATA_DIR: folder });
  });

  afterAll(async () => {
    shell.close();
    service?.terminate();
    await service?.ended;
    await gitea.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The text of the document; only paths and URLs are replaced. */
  const here = (text: string): string =>
    text.replaceAll('/etc/sluice', folder).replaceAll('http://localhost:3000', service?.url ?? '');

  const follow = async ({ file, text }: Step): Promise<string> => {
    if (file === null) return shell.run(here(text));
    const [host] = JSON.parse(here(text)) as [object];
    writeFileSync(here(file), JSON.stringify([{ ...host, gitUrl: gitea.gitUrl }]));
    return '';
  };

  it('takes a team from an empty repository to its first merge when it is followed literally', async () => {
    const printed = await walk(stepsOf('docs/gitea.md'), {
      async followed(step) {
        const said = await follow(step);
        // In this test, deliveries go directly to the service. In production, a proxy would end TLS in front of it.
        if (step.text.includes('gitea prepare'))
          gitea.webhooks.deliverTo(`${service?.url}/webhooks/gitea/${HOST}`, shop.record.hooks[0]?.secret);
        return said;
      },
      async started() {
        service = await shell.startService();
      },
      async said(words) {
        const pushed = pushedTestingBranch(gitea.webhooks);
        shop.openPullRequest({ 'price.txt': '12\n' }, { by: 'ada' });
        shop.comment(1, words, 'grace');
        shop.setStatus(shop.tip(await pushed), STATUS, 'success');
      },
      known: () => knownOf(gitea, shop, service),
    });
    expect(shop.isMerged(1)).toBe(true);
    expect(printed.find((text) => text.includes('No problem was found'))).toBeDefined();
    expect(printed.at(-1)).toMatch(/#1 .*: merged \(merge_graph_merge\)/);
    expect(shop.record.hooks).toMatchObject([{ url: WEBHOOK, secret: SECRET, active: true }]);
    expect(shop.record.rules).toMatchObject([{ name: 'main', pushers: [gitea.bot], mergers: [gitea.bot] }]);
    expect(shop.record.labels.map(({ name }) => name)).toContain(LABEL);
    exchanges.assertFits();
  });

  it('prepares a repository again without repeating steps, and adds the service to an existing rule', async () => {
    const before = process.env;
    const prepare = async (...more: string[]): ReturnType<typeof sluice> => {
      process.env = { ...before, ...shell.environment };
      return sluice('gitea', 'prepare', `${HOST}/acme/shop`, ...more).finally(() => (process.env = before));
    };
    shop.protect('main', { pushers: ['grace'], approvals: 1 });
    shop.record.hooks[0] = { ...shop.record.hooks[0]!, active: false };
    const unchanged = inspect([shop.record.rules, shop.record.hooks]);
    expect(await prepare('--dry-run')).toMatchObject({ exit: 0, out: expect.stringMatching(/^to do +/) as string });
    expect(inspect([shop.record.rules, shop.record.hooks])).toBe(unchanged);
    const { exit, out } = await prepare('--json');
    expect(exit).toBe(0);
    const done = JSON.parse(out) as { outcome: string; what: string }[];
    expect(done.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'was so', 'was so']);
    expect(shop.record.rules).toMatchObject([{ name: 'main', pushers: ['grace', gitea.bot], approvals: 1 }]);
    expect(shop.record.hooks).toMatchObject([{ active: true, secret: SECRET }]);
    expect(shop.record.labels.filter(({ name }) => name === LABEL)).toHaveLength(1);

    shop.protect('main', { pushers: [gitea.bot], mergers: ['grace'] });
    const again = await prepare('--protect', '--keep-button', 'ann, grace');
    expect(again.out).toContain(`grace, ${gitea.bot}, ann may merge into main by the button`);
    expect(shop.record.rules).toMatchObject([{ mergers: ['grace', gitea.bot, 'ann'] }]);

    shop.changePermission(gitea.bot, 'write');
    shop.protect('main', { pushers: ['grace'] });
    const refused = await prepare();
    expect(refused.exit).toBe(1);
    expect(refused.out.match(/^LEFT /gm)).toHaveLength(3);
    expect(refused.out).toContain(`Add ${gitea.bot} to the push whitelist of the rule for main.`);
    expect(refused.out + refused.err).not.toContain(readFileSync(join(folder, 'gitea-token'), 'utf8'));
    expect(await prepare('--branch', 'no-such')).toMatchObject({ exit: 1 });
    process.env = { ...before, ...shell.environment };
    const elsewhere = await sluice('gitea', 'prepare', 'other.example/a/b').finally(() => (process.env = before));
    expect(elsewhere.err).toContain('SLUICE_HOSTS has no host other.example of kind "gitea"');
    exchanges.assertFits();
  });
});
