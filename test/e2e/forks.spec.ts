import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '../../src/platform/requests/roles';
import { createToken } from '../../src/platform/auth/tokens';
import type { RepositoryDouble } from '../support/github/repository-double';
import { World } from '../support/world';
import { Shell, stepsOf } from './guide';

const [SCRIPT] = stepsOf('docs/cookbook.md').filter(({ does }) => does === 'tried');
const REPORT = '<testsuite name="all"><testcase name="adds" file="a.ts"/></testsuite>';

describe('The recipe for forks of docs/cookbook.md', () => {
  let world: World;
  let fork: RepositoryDouble;
  let folder: string;
  let shell: Shell;

  beforeEach(async () => {
    world = await World.create({ host: 'github' });
    world.githubRepository.answerUnknown(0);
    world.githubRepository.changePermission('grace', 'read');
    fork = world.github.fork(world.githubRepository, 'mallory');
    await world.createQueue({ requiredStatuses: ['tests'], mode: 'parallel' });
    folder = mkdtempSync(join(tmpdir(), 'sluice-forks-'));
    mkdirSync(join(folder, 'results/reports'), { recursive: true });
    writeFileSync(join(folder, 'results/reports/all.xml'), REPORT);
    const environment = {
      PATH: process.env.PATH ?? '',
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: world.github.apiUrl.replace(/\/$/, ''),
      GITHUB_REPOSITORY: 'acme/widgets',
      // The second workflow runs on the default branch.
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REF_NAME: 'main',
      GITHUB_SHA: world.githubRepository.tip('main'),
      GITHUB_TOKEN: world.github.createUserToken('grace'),
      SLUICE_URL: world.url,
      SLUICE_ORG: 'acme',
      SLUICE_TOKEN: await token('ci'),
    };
    shell = new Shell(join(folder, 'sluice.socket'), environment, folder);
  });

  afterEach(async () => {
    shell.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function token(role: Role): Promise<string> {
    const request = { organizationSlug: 'acme', name: `my-${role}`, role };
    return (await createToken(world.prisma, request, world.clock.now())).token;
  }

  /**
   * Opens a pull request from a fork. The branch in the fork has the name of the target, and must not be confused with
   * the target.
   */
  async function openFromFork(): Promise<{ number: number; head: string }> {
    const { number, head } = world.githubRepository.openPullRequest(
      { 'change.txt': 'new\n' },
      { fork, branch: 'main', by: 'mallory' },
    );
    await world.settles();
    return { number, head: head.sha };
  }

  async function send(head: string, targets: string): Promise<string> {
    writeFileSync(join(folder, 'results/targets.json'), targets);
    const about = { HEAD_OWNER: 'mallory', HEAD_BRANCH: 'main', HEAD_SHA: head };
    shell.environment = { ...shell.environment, ...about };
    // `sluice` runs in the process of the test, which has another working directory.
    const text = SCRIPT?.text.replace("'results/", `'${folder}/results/`).replaceAll('github.com', world.repo.host);
    return shell.run(text ?? 'false');
  }

  it("sends targets and results for the head that GitHub names, not for the job's own variables", async () => {
    const { number, head } = await openFromFork();
    await world.submit(number);
    await world.settles();
    expect((await world.record(number)).state).toBe('not_ready');
    await send(head, '["//web"]');
    await world.settles();
    expect((await world.record(number)).state).toBe('testing');
    expect(await world.prisma.impactedTargets.findMany()).toMatchObject([{ number, sha: head, names: ['//web'] }]);
    expect(await world.prisma.testUpload.findMany()).toMatchObject([
      { commit: head, branch: 'mallory:main', branchClass: 'pull_request', prNumber: number, passed: 1 },
    ]);
  });

  it.each(['{"pr":{"number":1}}', 'not JSON', '[7]', '["$(touch owned)"'])(
    'impacts everything if the fork passes on %s as its targets',
    async (targets) => {
      const { number, head } = await openFromFork();
      await send(head, targets);
      expect(await world.prisma.impactedTargets.findMany()).toMatchObject([{ number, sha: head, all: true }]);
    },
  );

  it('sends nothing for a head that no open pull request has any more', async () => {
    const { number, head } = await openFromFork();
    world.githubRepository.push(number, { 'change.txt': 'newer\n' });
    expect(await send(head, '["//web"]')).toContain(`No open pull request has the head ${head} any more.`);
    expect(await world.prisma.impactedTargets.count()).toBe(0);
  });
});
