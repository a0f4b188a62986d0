import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { childEnvironment } from '../../platform/config/child-environment';
import type { MergedBelow } from '../../domain/code-host.port';
import { mergeTrees } from './commit-objects';
import { type GitClone, GitClones } from './git-clone';
import { GitCommand, GitFailed, GitRefused, lastLine } from './git-command';
import { groundOf } from './ground';
import { attributesOf } from './merge-attributes';
import { treeOf } from './objects';
import { HEADS, STATEMENTS_REF } from './proof/proof-refs';

const MOST_BYTES = 1024 * 1024 * 1024;
const LIMIT_MS = 30 * 60_000;

/** An error in the user's input: a path, a branch, a range or a bundle. The message is a sentence. */
export class ProofRefused extends Error {
  override readonly name = 'ProofRefused';
}

export interface ProvenRange {
  /** The commit below the first commit of the range; null if that has no parent. */
  readonly base: string | null;
  /** The commits of the range, along first parents, the oldest first. */
  readonly commits: readonly { readonly commit: string; readonly tree: string }[];
}

/**
 * A temporary repository with the objects of a clone and of a bundle of statements. Clone and bundle are not changed,
 * and no host is asked. Only git is needed.
 */
export class ProofRepository {
  private constructor(
    private readonly folder: string,
    private readonly clone: GitClone,
    private readonly git: GitCommand,
  ) {}

  /** @throws ProofRefused */
  static async open(repository: string): Promise<ProofRepository> {
    const folder = await mkdtemp(join(tmpdir(), 'proof-'));
    try {
      const config = join(folder, 'config');
      await writeFile(config, '[safe]\n\tdirectory = *\n');
      const git = new GitCommand(childEnvironment(), config);
      const here = git.with({}, [`protocol.file.allow=always`]);
      const objects = await git.ask([
        '-C',
        resolve(repository),
        'rev-parse',
        '--path-format=absolute',
        '--git-common-dir',
      ]);
      if (objects.code !== 0)
        throw new ProofRefused(`${repository} is not a git repository. Give the folder of a clone.`);
      const common = objects.stdout.toString('utf8').trim();
      if (await isShallow(git, common)) {
        throw new ProofRefused(
          `${repository} is a shallow clone: run \`git fetch --unshallow\` in it, then try again.`,
        );
      }
      const remote = { host: 'bundle', url: common, git: here, pullRequestRefs: '' };
      const place = { id: '', host: 'bundle', owner: 'proof', name: 'proof' };
      const clone = await new GitClones(folder, git).of(remote, place);
      await writeFile(join(clone.directory, 'objects/info/alternates'), `${join(common, 'objects')}\n`);
      return new ProofRepository(folder, clone, git.with({ GIT_DIR: common }));
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * The end of the range. `range`: `<commit>..<commit>`, of which either commit may be missing. @throws ProofRefused
   */
  async tipOf(branch: string, range: string | undefined): Promise<string> {
    const [, to = ''] = (range ?? '').split('..');
    const names = to === '' ? [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`] : [to];
    for (const name of names) {
      const commit = await this.commitOf(name);
      if (commit !== null) return commit;
    }
    throw new ProofRefused(to === '' ? `The clone has no branch ${branch}.` : `The clone has no commit ${to}.`);
  }

  /**
   * Adds the objects of a bundle, and returns its files. The bundle builds on the objects of the branch. @throws
   * ProofRefused
   */
  async read(bundle: string, tip: string): Promise<ReadonlyMap<string, string>> {
    const { git, remote } = this.clone;
    await git.run(['update-ref', 'refs/heads/tip', tip]);
    const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-gc'];
    const from = ['--end-of-options', resolve(bundle), `${STATEMENTS_REF}:${STATEMENTS_REF}`, `${HEADS}*:${HEADS}*`];
    const here = remote.git.with({ GIT_DIR: this.clone.directory });
    const fetched = await here.ask([...fetch, ...from], { limitMs: LIMIT_MS });
    if (fetched.code !== 0) {
      const missing = /prerequisite/.test(fetched.stderr);
      const why = missing ? 'needs commits that the branch does not have' : 'is not a bundle of statements';
      throw new ProofRefused(`${bundle} ${why}: ${lastLine(fetched.stderr)}`);
    }
    return this.files();
  }

  private async files(): Promise<ReadonlyMap<string, string>> {
    const { git } = this.clone;
    const listed = await git.run(['ls-tree', '-r', '-z', '--name-only', STATEMENTS_REF]);
    const names = listed.toString('utf8').split('\0').filter(Boolean);
    const found = new Map<string, string>();
    const objects = await this.clone.read(names.map((name) => `${STATEMENTS_REF}:${name}`));
    for (const [index, name] of names.entries()) found.set(name, objects[index]?.content.toString('utf8') ?? '');
    return found;
  }

  /** The first-parent history of `tip` after `base`, or from its beginning if `base` is null. @throws ProofRefused */
  async history(tip: string, base: string | null): Promise<ProvenRange> {
    const args = [
      'log',
      '--first-parent',
      '--reverse',
      '--format=%H %T %P',
      tip,
      ...(base === null ? [] : [`^${base}`]),
    ];
    const listed = await this.clone.git.run(args, { maxOutputBytes: MOST_BYTES, limitMs: LIMIT_MS });
    const lines = listed.toString('latin1').split('\n').filter(Boolean);
    const commits = lines.map((line) => {
      const [commit = '', tree = '', parent = null] = line.split(' ');
      return { commit, tree, parent };
    });
    const [first] = commits;
    if (first !== undefined && base !== null && first.parent !== base) {
      throw new ProofRefused(`${base} is not in the first-parent history of ${tip}.`);
    }
    return { base: first === undefined ? base : first.parent, commits };
  }

  async commitOf(name: string): Promise<string | null> {
    const found = await this.git.ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
    return found.code === 0 ? found.stdout.toString('latin1').trim() : null;
  }

  /** Whether `ancestor` is in the history of one of the commits. Commits that are missing locally are ignored. */
  async isBelow(ancestor: string, commits: readonly string[]): Promise<boolean> {
    const found = await this.here([ancestor, ...commits]);
    if (!found.has(ancestor)) return false;
    for (const commit of commits) {
      if (found.has(commit) && (await this.clone.isAncestor(ancestor, commit))) return true;
    }
    return false;
  }

  /** The tree that a merge of the head makes in this repository. */
  async merge(
    before: string,
    head: string,
    below: readonly MergedBelow[],
  ): Promise<{ readonly tree: string } | { readonly problem: string }> {
    const found = await this.here([before, head]);
    const tip = found.get(before);
    if (tip === undefined) return { problem: `the commit ${before} is not in the clone` };
    if (!found.has(head)) return { problem: `the head ${head} of the pull request is not in the bundle` };
    try {
      const attributes = await attributesOf(this.clone, tip);
      const known = below.length === 0 ? below : await this.knownOf(below);
      const ground = await groundOf(this.clone, { commit: before, tree: tip }, known, attributes);
      const merged = await mergeTrees(this.clone, ground, head, attributes);
      if (merged.type === 'merged') return { tree: merged.tree };
      return {
        problem: `the head ${head} of the pull request conflicts with ${before} in ${merged.files.slice(0, 3).join(', ') || 'all files'}`,
      };
    } catch (error) {
      if (error instanceof GitRefused || error instanceof GitFailed) return { problem: error.message };
      throw error;
    }
  }

  private async knownOf(below: readonly MergedBelow[]): Promise<readonly MergedBelow[]> {
    const found = await this.here(below.map(({ commit }) => commit));
    return below.filter(({ commit }) => found.has(commit));
  }

  /** The tree of each commit that exists locally, by commit. Nothing is fetched. */
  private async here(commits: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { memory } = this.clone;
    const unknown = commits.filter((commit) => memory.commits.get(commit) === undefined);
    const objects = await this.clone.read(unknown);
    for (const object of objects) if (object?.type === 'commit') memory.commits.set(object.id, object);
    return new Map(
      commits.flatMap((commit) => {
        const object = memory.commits.get(commit);
        return object === undefined ? [] : [[commit, treeOf(object)] as const];
      }),
    );
  }
}

async function isShallow(git: GitCommand, common: string): Promise<boolean> {
  const answer = await git.with({ GIT_DIR: common }).run(['rev-parse', '--is-shallow-repository']);
  return answer.toString('latin1').trim() === 'true';
}
