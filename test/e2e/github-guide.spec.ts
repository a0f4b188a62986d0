import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { emptyDatabase } from '../support/empty-database';
import { APP_PERMISSIONS } from '../../src/code-hosts/github/app-permissions';
import { GitHubDouble } from '../support/github/github-double';
import type { AppPermissions } from '../support/github/state';
import { checkedByContract } from '../contract/github-host';
import { GUIDE_LIMIT_MS, knownOf, pushedTestingBranch, Shell, sluice, type Step, stepsOf, walk } from './guide';
import type { StartedService } from './stop/started-service';

const PUBLIC_URL = 'https://sluice.acme.example';
const SECRET = 'as openssl rand would print it';
const STEPS = stepsOf('docs/github.md');

jest.setTimeout(GUIDE_LIMIT_MS);

describe('docs/github.md', () => {
  const exchanges = checkedByContract();
  let folder: string;
  let github: GitHubDouble;
  let service: StartedService | undefined;
  let shell: Shell;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-guide-'));
    const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
    await emptyDatabase(prisma);
    await prisma.$disconnect();
    github = await GitHubDouble.start({ onExchange: exchanges.onExchange });
    writeFileSync(join(folder, 'github-app.pem'), github.privateKey);
    writeFileSync(join(folder, 'webhook-secret'), `${SECRET}\n`);
    const { PATH = '', DATABASE_URL = '' } = process.env;
    shell = new Shell(join(folder, 'sluice.socket'), { PATH, DATABASE_URL, SLUICE_DATA_DIR: folder });
  });

  afterAll(async () => {
    shell.close();
    service?.terminate();
    await service?.ended;
    await github.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The text of the document; only paths, URLs and the app are replaced. */
  const here = (text: string): string =>
    text.replaceAll('/etc/sluice', folder).replaceAll('http://localhost:3000', service?.url ?? '');

  const follow = async ({ file, text }: Step): Promise<string> => {
    if (file === null) return shell.run(here(text));
    const [host] = JSON.parse(here(text)) as [object];
    const { appId, apiUrl, gitUrl } = github;
    writeFileSync(here(file), JSON.stringify([{ ...host, appId, apiUrl, gitUrl }]));
    return '';
  };

  /** Uses the manifest as a person would: creates the app, and installs it on a repository. */
  const install = (manifest: string): ReturnType<typeof github.createRepository> => {
    const { default_permissions, default_events } = JSON.parse(manifest) as Record<string, unknown>;
    github.install('acme', default_permissions as AppPermissions);
    github.subscribeTo(default_events as string[]);
    const shop = github.createRepository('acme', 'shop');
    shop.answerUnknown(0);
    shop.changePermission('grace', 'write');
    return shop;
  };

  it('begins with a manifest whose permissions are explained, and which is pure JSON with --json', async () => {
    const asked = ['github', 'manifest', '--organization', 'acme', '--url', PUBLIC_URL];
    const { exit, out, err } = await sluice(...asked);
    expect(exit).toBe(0);
    for (const { title, reason } of APP_PERMISSIONS) expect(err).toMatch(new RegExp(`^${title} .*${reason}$`, 'm'));
    expect(err).toContain('https://github.com/organizations/acme/settings/apps/new?name=sluice+acme&');
    expect(await sluice(...asked, '--json')).toEqual({ exit: 0, out, err: '' });
    expect(await sluice('github', 'manifest', '--url', 'sluice.acme.example')).toMatchObject({ exit: 2, out: '' });
  });

  it('starts the service with npm start, as the other guides do', () => {
    expect(STEPS.filter(({ does }) => does === 'started').map(({ text }) => text)).toEqual(['npm start\n']);
  });

  it('takes a team from an empty repository to its first merge when it is followed literally', async () => {
    let shop: ReturnType<typeof github.createRepository> | undefined;
    const printed = await walk(STEPS, {
      async followed(step) {
        // In this test, deliveries go directly to the service. In production, a proxy would end TLS in front of it.
        if (step.text.includes('doctor')) github.webhooks.url = `${PUBLIC_URL}/webhooks/github/github.com`;
        const said = await follow(step);
        if (service !== undefined) github.webhooks.url = `${service.url}/webhooks/github/github.com`;
        if (step.text.includes('manifest')) shop = install(said);
        return said;
      },
      async started() {
        service = await shell.startService();
        github.webhooks.deliverTo(`${service.url}/webhooks/github/github.com`, SECRET);
      },
      async said(words) {
        const pushed = pushedTestingBranch(github.webhooks);
        shop?.openPullRequest({ 'price.txt': '12\n' }, { by: 'ada' });
        shop?.comment(1, words, 'grace');
        shop?.setCheckRun(shop.tip(await pushed), 'tests', 'success');
      },
      known: () => knownOf(github, shop, service),
    });
    expect(shop?.pullRequest(1).merged).not.toBeNull();
    expect(printed.find((text) => text.includes('No problem was found'))).toBeDefined();
    expect(printed.at(-1)).toMatch(/#1 .*: merged \(merge_graph_merge\)/);
    expect(shop?.status(shop.pullRequest(1).head.sha, 'Sluice Merge Queue (main)')).toBeDefined();
    exchanges.assertFits();
  });
});
