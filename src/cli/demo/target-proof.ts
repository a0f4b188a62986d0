import { runProgram } from '../../platform/processes/run-program';
import { childEnvironment } from '../../platform/config/child-environment';
import { git } from './git';

export interface TestedTree {
  /** A commit that was the tip of the target branch. */
  readonly commit: string;
  readonly subject: string;
  readonly verdict: 'passed' | 'failed';
  /** The last line that the test printed. */
  readonly said: string;
}

/**
 * Runs the repository's own test again on every tree that the branch ever had, oldest first. The commits come from
 * git's reflog, not from the queue's records. The function creates `workFolder`.
 */
export async function testEveryTree(bare: string, branch: string, workFolder: string): Promise<readonly TestedTree[]> {
  const log = await git(bare, ['reflog', 'show', '--format=%H', `refs/heads/${branch}`]);
  // `--shared` also gives access to commits that have left the branch.
  await git(bare, ['clone', '--quiet', '--shared', bare, workFolder]);
  const tested: TestedTree[] = [];
  for (const commit of log.split('\n').reverse()) {
    await git(workFolder, ['checkout', '--quiet', '--force', '--detach', commit]);
    const subject = await git(workFolder, ['show', '--no-patch', '--format=%s', commit]);
    tested.push({ commit, subject, ...(await runTest(workFolder)) });
  }
  return tested;
}

async function runTest(folder: string): Promise<Pick<TestedTree, 'verdict' | 'said'>> {
  const { code, stdout, stderr } = await runProgram('sh', ['test.sh'], { cwd: folder, env: childEnvironment() });
  return { verdict: code === 0 ? 'passed' : 'failed', said: lastLine(stdout + stderr) };
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

/**
 * Checks that each pull request of `landed` is on the branch exactly once, and that no other pull request is. Returns
 * the differences.
 */
export async function findWrongLandings(
  bare: string,
  branch: string,
  landed: readonly number[],
): Promise<readonly string[]> {
  const log = await git(bare, ['log', '--format=%s', branch]);
  const found = log
    .split('\n')
    .flatMap((subject) => /\(#(\d+)\)$/.exec(subject)?.[1] ?? [])
    .map(Number);
  const timesOf = (number: number) => found.filter((other) => other === number).length;
  return [
    ...landed
      .filter((number) => timesOf(number) !== 1)
      .map((number) => `#${number} is on ${branch} ${timesOf(number)} times`),
    ...found
      .filter((number) => !landed.includes(number))
      .map((number) => `#${number} is on ${branch}, and must not be`),
  ];
}
