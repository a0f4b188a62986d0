import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { readDocument } from '../docs/documents';
import { emptyDatabase } from '../support/empty-database';
import { GiteaDouble } from '../support/gitea/gitea-double';
import { GitHubDouble } from '../support/github/github-double';
import { GitLabDouble } from '../support/gitlab/gitlab-double';
import { GitLabPlace } from '../support/gitlab/place';
import { GUIDE_LIMIT_MS, Shell, type Step, stepsOf, walk } from './guide';
import type { StartedService } from './stop/started-service';

/** A mock code host with the repository acme/shop. */
interface Host {
  /** The token of step 1, and the file in which the reader saves the token. */
  readonly token: { readonly file: string; readonly text: string } | null;
  /** The mock's URLs, by the names of the settings in the document. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Opens pull request 1. */
  open(): void;
  /** All comments of pull request 1. */
  comments(): readonly object[];
  branches(): readonly string[];
  /** Lets CI pass on this branch. */
  pass(branch: string): void;
  close(): Promise<void>;
}

async function gitHub(): Promise<Host> {
  const github = await GitHubDouble.start();
  const shop = github.createRepository('acme', 'shop');
  shop.answerUnknown(0);
  shop.changePermission('me', 'admin');
  return {
    token: { file: 'github-token', text: github.createUserToken('me') },
    addresses: { apiUrl: github.apiUrl, gitUrl: github.gitUrl },
    open: () => void shop.openPullRequest({ 'price.txt': '12\n' }, { by: 'ada' }),
    comments: () => shop.comments(1),
    branches: () => shop.branches(),
    pass: (branch) => void shop.setCheckRun(shop.tip(branch), 'tests', 'success'),
    close: () => github.close(),
  };
}

async function gitLab(): Promise<Host> {
  const gitlab = await GitLabDouble.start();
  const shop = gitlab.createProject('acme', 'shop');
  const place = new GitLabPlace(shop);
  return {
    token: { file: 'gitlab-token', text: gitlab.createToken() },
    addresses: { gitUrl: gitlab.gitUrl },
    open: () => void place.openPullRequest({ 'price.txt': '12\n' }, { by: 'ada' }),
    comments: () => place.comments(1),
    branches: () => place.branches(),
    pass: (branch) => void place.setStatus(place.tip(branch), 'test', 'success'),
    close: () => gitlab.close(),
  };
}

async function gitea(): Promise<Host> {
  const server = await GiteaDouble.start();
  const shop = server.createRepository('acme', 'shop');
  shop.changePermission(server.bot, 'admin');
  return {
    token: { file: 'gitea-token', text: server.createToken() },
    addresses: { gitUrl: server.gitUrl },
    open: () => void shop.openPullRequest({ 'price.txt': '12\n' }, { by: 'ada' }),
    comments: () => shop.comments(1),
    branches: () => shop.branches(),
    pass: (branch) => void shop.setStatus(shop.tip(branch), 'tests / unit (push)', 'success'),
    close: () => server.close(),
  };
}

/** On plain git, the reader creates the repository, opens the pull request, and acts as CI. */
const PLAIN_GIT: Host = {
  token: null,
  addresses: {},
  open: () => undefined,
  comments: () => [],
  branches: () => [],
  pass: () => undefined,
  close: () => Promise.resolve(),
};

const QUICKSTARTS = [
  ['docs/quickstart-github.md', 'github.com/acme/shop', gitHub],
  ['docs/quickstart-gitlab.md', 'git.acme.example/acme/shop', gitLab],
  ['docs/quickstart-gitea.md', 'git.acme.example/acme/shop', gitea],
  ['docs/quickstart-git.md', 'local/acme/shop', () => Promise.resolve(PLAIN_GIT)],
] as const;

jest.setTimeout(GUIDE_LIMIT_MS);

describe('a quickstart', () => {
  let folder: string;
  let host: Host;
  let service: StartedService | undefined;
  let shell: Shell;

  const begin = async (makeHost: () => Promise<Host>): Promise<void> => {
    const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
    await emptyDatabase(prisma);
    await prisma.$disconnect();
    folder = mkdtempSync(join(tmpdir(), 'sluice-quickstart-'));
    mkdirSync(join(folder, '.sluice'));
    host = await makeHost();
    if (host.token !== null) writeFileSync(join(folder, '.sluice', host.token.file), `${host.token.text}\n`);
    const { PATH = '', DATABASE_URL = '' } = process.env;
    const environment = { PATH, DATABASE_URL, SLUICE_DATA_DIR: join(folder, '.sluice') };
    shell = new Shell(join(folder, 'sluice.socket'), environment, folder);
  };

  afterEach(async () => {
    shell.close();
    service?.terminate();
    await service?.ended;
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const follow = async ({ file, text }: Step): Promise<string> => {
    if (file === null) {
      if (text.includes('sluice pr submit')) host.open();
      const [said] = await Promise.all([shell.run(text), text.includes('sluice pr') ? passTests() : undefined]);
      return said;
    }
    // The service of this test has another working directory than the reader's.
    const addresses = Object.entries(host.addresses).map(([name, url]) => `, ${name}: '${url}'`);
    const here = text.replace(' }]', `${addresses.join('')} }]`).replace('.sluice/', `${folder}/.sluice/`);
    writeFileSync(join(folder, file), here);
    shell.environment = { ...shell.environment, SLUICE_CONFIG: join(folder, file) };
    return '';
  };

  /** Resolves immediately on plain git, where the reader acts as CI. */
  const passTests = async (): Promise<void> => {
    if (host === PLAIN_GIT) return;
    for (;;) {
      const branch = host.branches().find((name) => name.startsWith('sluice-merge/'));
      if (branch !== undefined) return host.pass(branch);
      await setTimeout(100);
    }
  };

  it.each(QUICKSTARTS)(
    '%s leads to the first merge when a reader follows it literally',
    async (path, repository, makeHost) => {
      await begin(makeHost);
      const printed = await walk(stepsOf(path), {
        followed: follow,
        async started() {
          service = await shell.startService();
        },
        said: () => Promise.reject(new Error('A quickstart submits with the command line.')),
        known: () => ({ comments: host.comments(), log: service?.log() }),
      });
      expect(printed.find((text) => text.includes('/ui/sign-in'))).toBeDefined();
      expect(await shell.run(`sluice pr watch ${repository} 1`)).toMatch(/#1 .*: merged \(/);
    },
  );
});

describe('the text of a quickstart', () => {
  it.each(QUICKSTARTS)('%s has seven steps in at most 60 lines', (path) => {
    const text = readDocument(path);
    expect([1, 2, 3, 4, 5, 6, 7].filter((step) => !new RegExp(`^.*${step}\\. [A-Z]`, 'm').test(text))).toEqual([]);
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(60);
  });
});
