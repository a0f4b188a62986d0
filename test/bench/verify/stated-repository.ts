import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEYS_FILE, statementFile } from '../../../src/modules/attestations/bundle-files';
import { asSigstoreBundle, signed, type SigningKey } from '../../../src/modules/attestations/statement/envelope';
import { payloadDigest, PAYLOAD_TYPE, payloadOf } from '../../../src/modules/attestations/statement/landing-statement';
import { GitClones } from '../../../src/code-hosts/git/git-clone';
import { GitCommand } from '../../../src/code-hosts/git/git-command';
import { writeBundle } from '../../../src/code-hosts/git/proof/write-bundle';
import type { MergeMethod } from '../../../src/domain/code-host.port';

/** Number of merges by which a pull request is behind the target. */
const BEHIND = 5;
const FOLDERS = 200;
const WHO = 'Ada <ada@example.com> 1767323045 +0000';
const MERGED_AT = '2026-11-28T12:00:00.000Z';

export interface StatedSize {
  readonly landings: number;
  readonly files: number;
}

/** The commits of one merged pull request. */
interface Made {
  readonly before: string;
  readonly after: string;
  readonly tree: string;
  readonly head: string;
}

/** A bare repository with merges by one method, with signed statements and a bundle of them. */
export async function makeStated(
  folder: string,
  method: MergeMethod,
  { landings, files }: StatedSize,
  key: SigningKey,
): Promise<{ readonly repository: string; readonly bundle: string }> {
  const repository = join(folder, 'repository.git');
  mkdirSync(folder, { recursive: true });
  const git = (args: readonly string[], input?: string): string =>
    execFileSync('git', ['-C', repository, ...args], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const marks = join(folder, 'marks');
  git(['fast-import', '--quiet', `--export-marks=${marks}`], streamOf(method, { landings, files }));
  const made = madeIn(readFileSync(marks, 'utf8'), landings, git);
  const bundle = join(folder, 'statements.bundle');
  const clone = await new GitClones(folder, gitIn(folder)).of(
    {
      host: 'bench',
      url: repository,
      git: gitIn(folder).with({}, ['protocol.file.allow=always']),
      pullRequestRefs: '',
    },
    { id: '', host: 'bench', owner: 'bench', name: 'bench' },
  );
  const statements = statementsOf(made, method, key);
  const request = { repository: { id: '', host: 'bench', owner: 'bench', name: 'bench' }, into: bundle };
  const [heads, have] = [made.map(({ head }) => head), made.at(-1)!.after];
  const written = await writeBundle(clone, { ...request, heads, have, files: statements });
  if (written.type !== 'written' || written.left.length > 0) throw new Error('The bundle is not whole');
  // Deletes the pull request heads, which a person's clone does not have.
  git(['for-each-ref', '--format=delete %(refname)', 'refs/pull'])
    .split('\n')
    .filter(Boolean)
    .forEach((line) => {
      git(['update-ref', '-d', line.slice('delete '.length)]);
    });
  return { repository, bundle };
}

function gitIn(folder: string): GitCommand {
  const config = join(folder, 'config');
  writeFileSync(config, '[safe]\n\tdirectory = *\n');
  return new GitCommand({ PATH: process.env.PATH ?? '' }, config);
}

/**
 * Marks of fast-import: 1 is the start. Landing n has the commits 10n + 1 and 10n + 2 (the head) of the pull request,
 * and the new target 10n + 5; a rebase makes 10n + 4 before it.
 */
function streamOf(method: MergeMethod, { landings, files }: StatedSize): string {
  const parts = [
    commit(
      'refs/heads/main',
      1,
      [],
      Array.from({ length: files }, (_, index) => file(index, 'start')),
    ),
  ];
  const target = (landing: number): number => (landing <= 0 ? 1 : 10 * landing + 5);
  for (let n = 1; n <= landings; n++) {
    const base = target(n - 1 - (n % BEHIND));
    const [first, second] = [file(n % files, `one of ${n}`), file((n + landings) % files, `two of ${n}`)];
    parts.push(
      commit(`refs/pull/${n}`, 10 * n + 1, [base], [first]),
      commit(`refs/pull/${n}`, 10 * n + 2, [10 * n + 1], [second]),
    );
    const below = target(n - 1);
    const parents = method === 'merge_commit' ? [below, 10 * n + 2] : [below];
    if (method === 'rebase') {
      parts.push(commit('refs/heads/main', 10 * n + 4, [below], [first]));
      parts.push(commit('refs/heads/main', 10 * n + 5, [10 * n + 4], [second]));
    } else parts.push(commit('refs/heads/main', 10 * n + 5, parents, [first, second]));
  }
  return parts.join('');
}

function commit(ref: string, mark: number, [from, ...merges]: readonly number[], files: readonly string[]): string {
  const message = `change ${mark}\n`;
  return [
    `commit ${ref}\nmark :${mark}\ncommitter ${WHO}\ndata ${message.length}\n${message}`,
    from === undefined ? '' : `from :${from}\n`,
    ...merges.map((merge) => `merge :${merge}\n`),
    ...files,
    '\n',
  ].join('');
}

function file(index: number, text: string): string {
  const content = `${Array.from({ length: 10 }, (_, line) => `line ${line} of file ${index}`).join('\n')}\n${text}\n`;
  return `M 100644 inline src/${index % FOLDERS}/${index}.txt\ndata ${Buffer.byteLength(content)}\n${content}\n`;
}

function madeIn(marks: string, landings: number, git: (args: readonly string[]) => string): readonly Made[] {
  const ids = new Map(marks.split('\n').map((line) => line.slice(1).split(' ') as [string, string]));
  const trees = new Map(
    git(['log', '--first-parent', '--format=%H %T', 'main'])
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
  return Array.from({ length: landings }, (_, index) => {
    const n = index + 1;
    const before = ids.get(n === 1 ? '1' : String(10 * (n - 1) + 5))!;
    const after = ids.get(String(10 * n + 5))!;
    return { before, after, tree: trees.get(after)!, head: ids.get(String(10 * n + 2))! };
  });
}

function statementsOf(made: readonly Made[], method: MergeMethod, key: SigningKey): ReadonlyMap<string, string> {
  let previous: string | null = null;
  const files = new Map([[KEYS_FILE, JSON.stringify({ keys: [] })]]);
  for (const [index, { before, after, tree, head }] of made.entries()) {
    const number = index + 1;
    const statuses = [{ name: 'tests', state: 'success', at: MERGED_AT }];
    const payload = payloadOf({
      ...{ repository: 'https://git.example/acme/widgets', branch: 'main', number, previous },
      ...{ mergedAt: MERGED_AT, signedAt: MERGED_AT, before, after, tree, pullRequest: { number, head } },
      merge: { method, git: 'bench' },
      test: { run: number, commit: after, tree, pullRequests: [number], required: ['tests'], statuses },
      approvedBy: [],
      demandsUnmet: [],
      demandsSeenAt: MERGED_AT,
      settings: {
        ...{ mode: 'single', scheduling: 'in_order', batch: false, concurrency: 1, pendingFailureDepth: 0 },
        ...{ optimistic: false, directMerges: 'off' },
      },
      service: { name: 'sluice', version: 'bench' },
    });
    previous = payloadDigest(payload);
    files.set(statementFile(number), JSON.stringify(asSigstoreBundle(signed(PAYLOAD_TYPE, payload, key))));
  }
  return files;
}
