import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundleRequest, WrittenBundle } from '../../../domain/code-host.port';
import type { GitClone } from '../git-clone';
import { isCommitId } from '../names';
import { HEADS, STATEMENTS_REF } from './proof-refs';

const AT_ONCE = 200;
const LIMIT_MS = 10 * 60_000;

/**
 * Writes a git bundle with the heads of pull requests and the files of a commit. The bundle contains the commits of the
 * heads that are not in the history of `have`. Heads that no longer exist are left out.
 */
export async function writeBundle(clone: GitClone, request: BundleRequest): Promise<WrittenBundle> {
  const { heads, have, files, into } = request;
  const [base] = await clone.commits([{ commit: have }]);
  if (base == null) return { type: 'missing', commit: have };
  const here: string[] = [];
  for (let from = 0; from < heads.length; from += AT_ONCE) {
    const wanted = heads.slice(from, from + AT_ONCE).filter(isCommitId);
    const found = await clone.commits(wanted.map((commit) => ({ commit })));
    here.push(...wanted.filter((_, index) => found[index] != null));
  }
  const folder = `${into}.git`;
  const git = clone.git.with({ GIT_DIR: folder });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await git.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=unused']);
    await mkdir(join(folder, 'objects/info'), { recursive: true });
    await writeFile(join(folder, 'objects/info/alternates'), `${join(clone.directory, 'objects')}\n`);
    const kept = [...new Set(here)];
    const refs = kept.map((head) => `create ${HEADS}${head} ${head}\n`).join('');
    await git.run(['update-ref', '--stdin'], { input: refs });
    await git.run(['fast-import', '--quiet', '--date-format=raw'], { input: importOf(files), limitMs: LIMIT_MS });
    const input = [STATEMENTS_REF, ...kept.map((head) => HEADS + head), `^${have}`].join('\n');
    await git.run(['bundle', 'create', '--quiet', into, '--stdin'], { input: `${input}\n`, limitMs: LIMIT_MS });
    return { type: 'written', left: heads.filter((head) => !here.includes(head)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function importOf(files: ReadonlyMap<string, string>): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const inline = [...files].map(([name, text]) => `M 100644 inline ${name}\n${data(text)}`);
  const who = 'committer statements <statements> 0 +0000\n';
  return `commit ${STATEMENTS_REF}\n${who}${data('Statements about merges\n')}${inline.join('')}\n`;
}
