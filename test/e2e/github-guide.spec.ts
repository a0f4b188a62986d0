import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { emptyDatabase } from '../support/empty-database';
import { APP_PERMISSIONS } from '../../src/code-hosts/github/app-permissions';
import { GitHubDouble } from '../support/github/github-double';
import type { AppPermissions } from '../support/github/state';
import { checkedByContract } from '../contract/github-host';
import { endsWithin, Shell, sluice, type Step, stepsOf } from './guide';
import { StartedService } from './stop/started-service';

const PUBLIC_URL = 'https://sluice.acme.example';
const SECRET = 'as openssl rand would print it';
const STEPS = stepsOf('docs/github.md');
const STEP_LIMIT_MS = 80_000;

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

  /** Paths, addresses and the app are others here than in the document; nothing else is. */
  const here = (text: string): string =>
    text.replaceAll('/etc/sluice', folder).replaceAll('http://localhost:3000', service?.url ?? '');

  const follow = async ({ file, text }: Step): Promise<string> => {
    if (file === null) return shell.run(here(text));
    const [host] = JSON.parse(here(text)) as [object];
    const { appId, apiUrl, gitUrl } = github;
    writeFileSync(here(file), JSON.stringify([{ ...host, appId, apiUrl, gitUrl }]));
    return '';
  };

  const start = async (): Promise<void> => {
    service = await StartedService.start({ ...shell.environment, PORT: '0' });
    shell.environment = { ...shell.environment, SLUICE_URL: service.url };
    github.webhooks.deliverTo(`${service.url}/webhooks/github/github.com`, SECRET);
  };

  /** Resolves with the testing branch once it was pushed. */
  const testingBranch = (): Promise<string> =>
    new Promise((resolve) => {
      github.webhooks.fateOf = ({ event, body }) => {
        const { ref, created } = JSON.parse(body) as { ref?: string; created?: boolean };
        const branch = ref?.slice('refs/heads/'.length) ?? '';
        if (event === 'push' && created === true && branch.startsWith('sluice-merge/')) resolve(branch);
        return 'delivered';
      };
    });

  it('begins with a manifest that explains itself, and is JSON alone for programs', async () => {
    const asked = ['github', 'manifest', '--organization', 'acme', '--url', PUBLIC_URL];
    const { exit, out, err } = await sluice(...asked);
    expect(exit).toBe(0);
    for (const { title, reason } of APP_PERMISSIONS) expect(err).toMatch(new RegExp(`^${title} .*${reason}$`, 'm'));
    expect(err).toContain('https://github.com/organizations/acme/settings/apps/new?name=sluice+acme&');
    expect(await sluice(...asked, '--json')).toEqual({ exit: 0, out, err: '' });
    expect(await sluice('github', 'manifest', '--url', 'sluice.acme.example')).toMatchObject({ exit: 2, out: '' });
  });

  it('starts the service as everything else does', () => {
    expect(STEPS.filter(({ does }) => does === 'started').map(({ text }) => text)).toEqual(['npm start\n']);
  });

  it('takes a team from nothing to its first merge, as it is written', async () => {
    const printed: string[] = [];
    const repository = () => github.createRepository('acme', 'shop');
    let shop: ReturnType<typeof repository> | undefined;
    const unanswered = () => github.webhooks.deliveries.filter(({ statusCode }) => statusCode !== 202);
    const take = async (step: Step): Promise<void> => {
      switch (step.does) {
        case 'followed': {
          // Deliveries go to the service itself here, where TLS would end in front of it.
          if (step.text.includes('doctor')) github.webhooks.url = `${PUBLIC_URL}/webhooks/github/github.com`;
          printed.push(await follow(step));
          if (service !== undefined) github.webhooks.url = `${service.url}/webhooks/github/github.com`;
          if (!step.text.includes('manifest')) break;
          const { default_permissions, default_events } = JSON.parse(printed[0] ?? '') as Record<string, unknown>;
          github.install('acme', default_permissions as AppPermissions);
          github.subscribeTo(default_events as string[]);
          shop = repository();
          shop.answerUnknown(0);
          shop.changePermission('grace', 'write');
          break;
        }
        case 'started':
          await start();
          break;
        case 'said': {
          const pushed = testingBranch();
          shop?.openPullRequest({ 'price.txt': '12\n' }, { by: 'ada' });
          shop?.comment(1, step.text.trim(), 'grace');
          shop?.setCheckRun(shop.tip(await pushed), 'tests', 'success');
          break;
        }
        case 'converted':
        case 'tried':
          throw new Error('This guide converts nothing, and all of it is followed.');
      }
    };
    for (const step of STEPS) {
      await endsWithin(STEP_LIMIT_MS, take(step), () =>
        [`This step does not end:\n${step.text}`, inspect(unanswered()), service?.log()].join('\n'),
      );
    }
    expect(shop?.pullRequest(1).merged).not.toBeNull();
    expect(printed.find((text) => text.includes('No problem was found'))).toBeDefined();
    expect(printed.at(-1)).toMatch(/#1 .*: merged \(merge_graph_merge\)/);
    expect(shop?.status(shop.pullRequest(1).head.sha, 'Sluice Merge Queue (main)')).toBeDefined();
    exchanges.assertFits();
  }, 120_000);
});
