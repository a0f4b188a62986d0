import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { emptyDatabase } from '../support/empty-database';
import { BareRepository, runGit } from '../support/bare-repository';
import { Shell, sluice, type Step, stepsOf } from './guide';
import { StartedService } from './stop/started-service';

const SAMPLES = join(__dirname, '../fixtures/cookbook');
const STEPS = stepsOf('docs/cookbook.md');
const SHOP = 'local/acme/shop';
const FILES = {
  '.sluice/sluice.yaml': 'merge: { required_statuses: [test] }\nci: { test: sh test.sh }\n',
  'test.sh': 'test -f README.md\n',
  'README.md': 'A shop\n',
};
/** The changes of each pull request, by number. The recipes use the pull requests one after another. */
const CHANGES = new Map(Array.from({ length: 9 }, (_, i) => [i + 1, { [`services/api/${i}.ts`]: 'a change\n' }]));

/** The smallest role that suffices for the step, according to the document. */
function roleFor({ text }: Step): string {
  if (text.includes('status set')) return 'status';
  if (text.includes('setImpactedTargets')) return 'ci';
  return /queue (create|update|pause|resume)|createQueue/.test(text) ? 'admin' : 'submit';
}

describe('docs/cookbook.md', () => {
  let world: BareRepository;
  let clone: string;
  let service: StartedService;
  let shell: Shell;
  let lastNumber = 0;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
    await emptyDatabase(prisma);
    await prisma.$disconnect();
    world = BareRepository.create('acme', 'shop', FILES);
    for (const branch of ['release', 'next']) world.setBranch(branch, world.tip('main'));
    for (const [number, files] of CHANGES) world.openPullRequest(number, files);
    clone = join(world.folder, 'shop');
    runGit(world.folder, ['clone', '--quiet', world.bare, clone]);
    const { PATH = '', DATABASE_URL = '' } = process.env;
    const hosts = [{ host: 'local', kind: 'git', url: world.urlTemplate, pollSeconds: 1 }];
    const environment = {
      PATH,
      DATABASE_URL,
      SLUICE_DATA_DIR: world.dataDirectory,
      SLUICE_HOSTS: JSON.stringify(hosts),
    };
    service = await StartedService.start({ ...environment, PORT: '0', SLUICE_CHECK_RUNNER: 'unconfined' });
    shell = new Shell(join(world.folder, 'sluice.socket'), { ...environment, SLUICE_URL: service.url }, clone);
    await shell.run('sluice org create acme');
    for (const role of ['admin', 'submit', 'ci', 'status'] as const) {
      const made = await shell.run(`sluice token create --org acme --name my-${role} --role ${role} --json`);
      tokens.set(role, (JSON.parse(made) as { token: string }).token);
    }
    shell.environment = { ...shell.environment, SLUICE_TOKEN: tokens.get('admin') ?? '' };
    await shell.run(`sluice queue create ${SHOP} --branch main`);
  });

  afterAll(async () => {
    shell.close();
    service.terminate();
    await service.ended;
    world.close();
  });

  /** Makes this pull request the one of the next recipe, and checks it out. */
  const takePullRequest = (number: number): void => {
    const head = world.head(number) ?? '';
    runGit(clone, ['fetch', '--quiet', 'origin', `refs/pull/${number}/head`]);
    runGit(clone, ['checkout', '--quiet', head]);
    shell.environment = { ...shell.environment, PR: `${number}`, HEAD_SHA: head, COMMIT: world.tip('main') };
  };

  const follow = (step: Step): Promise<string> => {
    if (/\bPR\b/.test(step.text)) takePullRequest(++lastNumber);
    const SLUICE_TOKEN = tokens.get(roleFor(step)) ?? '';
    shell.environment = { ...shell.environment, SLUICE_TOKEN };
    // In the recipe, the command waits for ten seconds, which would be too long in this test.
    return shell.run(step.text.replace('sleep 10', 'sleep 0.2'));
  };

  const targets = (): unknown => JSON.parse(readFileSync(join(clone, 'targets.json'), 'utf8'));

  const recipe = (words: string): Step => {
    const found = STEPS.find(({ text }) => text.includes(words));
    if (found === undefined) throw new Error(`No recipe has ${words}`);
    return found;
  };

  it.each([
    [
      'labels.txt',
      ['//services/api:api', '//services/api:api_test', '@maven//:com_google_guava_guava', '//libs/prices:prices'],
    ],
    ['projects.json', ['api', 'web', 'web-e2e']],
    ['plan.json', ['@acme/prices', 'web']],
    ['list.json', ['@acme/prices', 'web']],
  ])('has commands that turn %s into targets', async (sample, expected) => {
    copyFileSync(join(SAMPLES, sample), join(clone, sample));
    const step = STEPS.find(({ does, file }) => does === 'converted' && file === sample);
    await shell.run(step?.text ?? 'false');
    expect(targets()).toEqual(expected);
  });

  it('has commands that impact every target if the root project changes', async () => {
    copyFileSync(join(SAMPLES, 'plan-of-everything.json'), join(clone, 'plan.json'));
    await shell.run(recipe('plan.json').text);
    expect(targets()).toBe('ALL');
  });

  it('has a sample file for every conversion', () => {
    const converted = STEPS.filter(({ does }) => does === 'converted').map(({ file }) => file);
    expect(converted).toEqual(['labels.txt', 'projects.json', 'plan.json', 'list.json']);
  });

  it.each([
    [{ 'services/api/deep/er.ts': 'x\n', 'docs/a.md': 'x\n' }, ['api']],
    [{ 'libs/prices.ts': 'x\n' }, ['api', 'web']],
    [{ 'docs/b.md': 'x\n' }, []],
    [{ 'apps/web/a.ts': 'x\n', 'package.json': '{}\n' }, 'ALL'],
  ])('has globs that turn changes of %j into targets', async (files, expected) => {
    world.openPullRequest(99, files);
    takePullRequest(99);
    await shell.run(recipe('echo ALL').text);
    expect(targets()).toEqual(expected);
  });

  it('has commands that work when a reader follows them literally', async () => {
    writeFileSync(join(clone, 'targets.json'), '["api"]');
    const printed = new Map<string, string>();
    const states: unknown[] = [];
    for (const step of STEPS) {
      if (step.does !== 'followed' || step === recipe('echo ALL')) continue;
      printed.set(step.text, await follow(step));
      if (/queue (pause|resume)|--state/.test(step.text)) states.push((await queue('main')).state);
      if (step === recipe('--mode parallel')) await landsWithTargets();
    }
    expect(states).toEqual(['paused', 'draining', 'running']);
    const said = (words: string): string => printed.get(recipe(words).text) ?? '';
    expect(said('submitPullRequest')).toMatch(/\nmerged: merge_graph_merge\n$/);
    expect(said('pr watch')).toMatch(/: merged \(merge_graph_merge\)\n$/);
    expect(said('setImpactedTargets')).toContain('"targetCount":1');
    expect(said('--priority high')).toContain('priority high');
    expect(said('--branch release')).toMatch(/#\d+ /);
    const { mode, batch, concurrency, bisectionConcurrency } = await queue('main');
    const copied = { mode, batch, concurrency, bisectionConcurrency, pendingFailureDepth: 0, branch: 'next' };
    expect(await queue('next')).toMatchObject(copied);
    expect(copied).toMatchObject({ mode: 'parallel', batch: true, concurrency: 4 });
    expect(await queue('main')).toMatchObject({ allowedBotSubmitters: ['dependabot', 'renovate'] });
  });

  /** Expects that the pull request merges with the targets that the recipe sent. */
  async function landsWithTargets(): Promise<void> {
    const number = lastNumber;
    await shell.run(`sluice pr submit ${SHOP} ${number}`);
    expect(await shell.run(`sluice pr watch ${SHOP} ${number}`)).toMatch(/: merged \(merge_graph_merge\)\n$/);
  }

  async function queue(branch: string): Promise<Record<string, unknown>> {
    const { SLUICE_URL = '', SLUICE_TOKEN = '' } = shell.environment;
    const asked = ['queue', 'get', SHOP, '--branch', branch, '--json', '--url', SLUICE_URL, '--token', SLUICE_TOKEN];
    return JSON.parse((await sluice(...asked)).out) as Record<string, unknown>;
  }
});
