import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git } from './git';
import { DEMO_BRANCH, DEMO_LEFT_OPEN, DEMO_PULL_REQUESTS, FIRST_FILES } from './pull-requests';

/**
 * Makes the bare repository that the demo's host serves: a target branch, and `refs/pull/<number>/head` for each pull
 * request. `workFolder` is used and removed.
 */
export async function makeDemoRepository(bare: string, workFolder: string): Promise<void> {
  await mkdir(bare, { recursive: true });
  await git(bare, ['init', '--quiet', '--bare', `--initial-branch=${DEMO_BRANCH}`]);
  // Git itself records every commit of the target branch; the demo's proof reads that reflog.
  await git(bare, ['config', 'core.logAllRefUpdates', 'always']);
  await mkdir(workFolder);
  await git(workFolder, ['init', '--quiet', `--initial-branch=${DEMO_BRANCH}`]);
  await commit(workFolder, 'Make the first widget', 'Sluice', FIRST_FILES);
  const all = [...DEMO_PULL_REQUESTS, ...DEMO_LEFT_OPEN];
  for (const { number, title, author, files, on } of all) {
    const from = on === undefined ? DEMO_BRANCH : `pull-${on}`;
    await git(workFolder, ['checkout', '--quiet', '-b', `pull-${number}`, from]);
    await commit(workFolder, title, author, files);
  }
  const heads = all.map(({ number }) => `pull-${number}:refs/pull/${number}/head`);
  await git(workFolder, ['push', '--quiet', bare, DEMO_BRANCH, ...heads]);
  await rm(workFolder, { recursive: true });
}

async function commit(
  folder: string,
  message: string,
  author: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await git(folder, ['add', '--all']);
  await git(folder, ['commit', '--quiet', '--message', message], author);
}
