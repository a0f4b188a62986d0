import { join } from 'node:path';
import { readCommandLine, WRITES } from '../support/command-line';
import type { BuildRequest, MergeMethod, PullRequestAtHead } from '../../src/domain/code-host.port';
import type { GitHost } from '../../src/code-hosts/git/git-host';
import { BareRepository } from '../support/bare-repository';
import type { FileChanges } from '../support/commit-stream';
import { makeGitHost, WIDGETS } from '../contract/hosts';
import { Yardstick } from './git-yardstick';
import { printMachine } from './machine';
import { printNote, writeResults } from './results';
import { printTable } from './table';

const FOLDERS = 210;
const FILES_PER_FOLDER = 100;
const MOST_ENTRIES = 10;
const ROUNDS = 21;
const LIMIT = 1.1;
const METHODS: readonly MergeMethod[] = ['merge_commit', 'squash', 'rebase'];

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * A repository with 21,000 files. Every pull request starts before the target's last commits and has one to three
 * commits of its own.
 */
function makeWorld(): { world: BareRepository; pullRequests: readonly PullRequestAtHead[] } {
  const files: Record<string, string> = {};
  for (let folder = 0; folder < FOLDERS; folder++) {
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      files[`src/${folder % 14}/${folder}/${file}.txt`] = `${folder} ${file}\n`.repeat(5);
    }
  }
  const world = BareRepository.create('acme', 'widgets', files);
  const pullRequests: PullRequestAtHead[] = [];
  for (let number = 1; number <= MOST_ENTRIES; number++) {
    const change = (part: number): FileChanges => ({
      [`src/${number}/${number}/${part}.txt`]: `changed by ${number}\n`,
    });
    world.openPullRequest(number, change(1));
    for (let part = 2; part <= 1 + (number % 3); part++) world.pushToPullRequest(number, change(part));
    const described = { title: `Change ${number}`, body: 'Because.', author: 'Ada', authorEmail: 'ada@example.com' };
    pullRequests.push({ number, head: world.head(number) ?? '', headBranch: `topic-${number}`, ...described });
  }
  // Without this setting one of the pushes would start a garbage collection, which would slow down the later pushes.
  world.inBare('config', 'gc.auto', '0');
  for (let push = 0; push < 3; push++) world.pushTo('main', { [`src/0/0/${push}.txt`]: `meanwhile ${push}\n` });
  return { world, pullRequests };
}

async function compare(
  { world, host, yardstick }: { world: BareRepository; host: GitHost; yardstick: Yardstick },
  mergeMethod: MergeMethod,
  pullRequests: readonly PullRequestAtHead[],
): Promise<{ ours: number; least: number; ratio: number }> {
  const tip = world.tip('main');
  let seconds = Date.parse('2026-03-01T00:00:00Z') / 1000;
  const nextRequest = (): BuildRequest => {
    const committedAt = new Date(seconds++ * 1000);
    const onto = { onto: tip, targetTip: tip, alreadyMerged: [] };
    return { repository: WIDGETS, targetBranch: 'main', ...onto, pullRequests, mergeMethod, committedAt };
  };
  const byUs = async (request: BuildRequest, branch: string): Promise<string> => {
    const built = await host.buildCandidate(request);
    if (built.type !== 'built') throw new Error(JSON.stringify(built));
    await host.pushTestingBranch({
      repository: WIDGETS,
      branch,
      commit: built.commit,
      testRunId: branch,
      requiredStatuses: [],
    });
    return built.commit;
  };

  const once = nextRequest();
  const [ours, least] = [
    await byUs(once, `first/${mergeMethod}-${pullRequests.length}-ours`),
    await yardstick.buildAndPush(once, `first/${mergeMethod}-${pullRequests.length}-least`),
  ];
  if (ours !== least) throw new Error(`${mergeMethod}: we made ${ours}, the least sequence ${least}`);
  const times: { ours: number; least: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measure = {
      ours: () => byUs(nextRequest(), `sluice-merge/${mergeMethod}-${pullRequests.length}-${round}`),
      least: () => yardstick.buildAndPush(nextRequest(), `least/${mergeMethod}-${pullRequests.length}-${round}`),
    };
    // The order alternates, because the sequence that is measured second finds warmer caches.
    if (round % 2 === 0) times.push({ ours: await timed(measure.ours), least: await timed(measure.least) });
    else {
      const least = await timed(measure.least);
      times.push({ ours: await timed(measure.ours), least });
    }
  }
  return {
    ours: median(times.map((time) => time.ours)),
    least: median(times.map((time) => time.least)),
    ratio: median(times.map((time) => time.ours / time.least)),
  };
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'bench:git',
    does: 'Compares the build of a testing branch with the least sequence of git processes. Ends with 1 if the goal is missed.',
    options: WRITES,
  });
  const { world, pullRequests } = makeWorld();
  try {
    const host = makeGitHost(world);
    // The service fetches every pull request first, as at its submission, so that the commits are local.
    for (const { number } of pullRequests) await host.readPullRequest(WIDGETS, number, 'main');
    const clone = join(world.dataDirectory, 'clones', WIDGETS.host, WIDGETS.owner, `${WIDGETS.name}.git`);
    const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    const yardstick = new Yardstick(clone, world.bare, env);
    const files = Object.keys(world.inBare('ls-tree', '-r', '--name-only', 'main').split('\n')).length;
    printMachine();
    printNote(`${files} files, median of ${ROUNDS} alternated rounds`);
    printNote(
      `${world.inBare('--version').trim()} with its own settings: waits for the disk only where a push is stored as a pack`,
    );
    let worst = 0;
    const rows: string[][] = [];
    for (const method of METHODS) {
      for (const count of [1, MOST_ENTRIES]) {
        const { ours, least, ratio } = await compare({ world, host, yardstick }, method, pullRequests.slice(0, count));
        worst = Math.max(worst, ratio);
        rows.push([method, `${count}`, `${ours.toFixed(1)} ms`, `${least.toFixed(1)} ms`, ratio.toFixed(2)]);
      }
    }
    printTable('Building and pushing a candidate', ['method', 'entries', 'ours', 'least', 'ratio'], rows);
    printNote(`\nworst ratio ${worst.toFixed(2)} (limit ${LIMIT})`);
    if (values.write) writeResults('git');
    if (!(worst <= LIMIT)) process.exitCode = 1;
  } finally {
    world.close();
  }
}

void main();
