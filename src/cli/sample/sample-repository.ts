import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { childEnvironment } from '../../platform/config/child-environment';
import { runProgram } from '../../platform/processes/run-program';
import { git } from '../demo/git';

export const SAMPLE_BRANCH = 'main';

export interface SamplePullRequest {
  readonly number: number;
  readonly title: string;
}

/** The test of the repository: no van may carry more than it holds. */
const TEST = `# Every folder in vans is a van, which holds 10 boxes.
for van in vans/*; do
  boxes=0
  for load in "$van"/*; do boxes=$((boxes + $(cat "$load"))); done
  if [ "$boxes" -gt 10 ]; then echo "$van is loaded with $boxes boxes and holds 10"; exit 1; fi
done
echo "no van is overloaded"
`;

/** Creates the bare repository if it is missing. `workFolder` is created, used and removed. */
export async function makeRepository(bare: string, workFolder: string): Promise<void> {
  if (existsSync(bare)) return;
  await mkdir(workFolder);
  await git(workFolder, ['init', '--quiet', `--initial-branch=${SAMPLE_BRANCH}`]);
  await commit(workFolder, 'Buy the first van', { 'test.sh': TEST, 'vans/van-0/flowers': '4\n' });
  await mkdir(dirname(bare), { recursive: true });
  await git(workFolder, ['clone', '--quiet', '--bare', workFolder, bare]);
  await git(bare, ['remote', 'remove', 'origin']);
  await rm(workFolder, { recursive: true });
}

/**
 * Two pull requests that pass their tests alone, and fail together: each loads 6 boxes into the same van, which holds
 * 10.
 */
export async function openPullRequests(
  bare: string,
  workFolder: string,
): Promise<readonly [SamplePullRequest, SamplePullRequest]> {
  const first = (await highestNumber(bare)) + 1;
  const van = `van-${first}`;
  await git(bare, ['clone', '--quiet', bare, workFolder]);
  const load = async (number: number, what: string): Promise<SamplePullRequest> => {
    const title = `Load 6 boxes of ${what} into ${van}`;
    await git(workFolder, ['checkout', '--quiet', '--detach', `origin/${SAMPLE_BRANCH}`]);
    await commit(workFolder, title, { [`vans/${van}/${what}`]: '6\n' });
    await git(workFolder, ['push', '--quiet', 'origin', `HEAD:refs/pull/${number}/head`]);
    return { number, title };
  };
  const opened = [await load(first, 'apples'), await load(first + 1, 'pears')] as const;
  await rm(workFolder, { recursive: true });
  return opened;
}

export interface TestEnd {
  readonly state: 'success' | 'failure';
  /** The last line that the test printed. */
  readonly said: string;
}

/** Runs the test of the repository on a commit, as CI does. `workFolder` is created, used and removed. */
export async function testCommit(bare: string, sha: string, workFolder: string): Promise<TestEnd> {
  await git(bare, ['clone', '--quiet', '--shared', '--no-checkout', bare, workFolder]);
  await git(workFolder, ['checkout', '--quiet', '--detach', sha]);
  const { code, stdout, stderr } = await runProgram('sh', ['test.sh'], { cwd: workFolder, env: childEnvironment() });
  await rm(workFolder, { recursive: true });
  const said = (stdout + stderr).trimEnd().split('\n').at(-1) ?? '';
  return { state: code === 0 ? 'success' : 'failure', said };
}

async function highestNumber(bare: string): Promise<number> {
  const refs = await git(bare, ['for-each-ref', '--format=%(refname)', 'refs/pull']);
  return Math.max(0, ...[...refs.matchAll(/^refs\/pull\/(\d+)\/head$/gm)].map(([, number]) => Number(number)));
}

async function commit(folder: string, message: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await git(folder, ['add', '--all']);
  await git(folder, ['commit', '--quiet', '--message', message]);
}
