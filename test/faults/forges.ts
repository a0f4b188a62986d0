import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BareRepository } from '../support/bare-repository';
import type { RepositoryDouble } from '../support/github/repository-double';

/** A part of the answer to a command that may be older than the push of the present head. */
const NOTHING_WAS_DONE = 'Nothing was done';

/** A file in the repository, to which each commit adds a line. */
const PUSHED_FILE = 'pushed-to-be-tested';

const PUSHED = 'a push that bypasses the queue';

/** A repository, seen from outside the service. People, CI and a judge act on it directly, without the service. */
export interface Forge {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly bare: BareRepository;
  /** Opens a pull request with one commit that adds these files. */
  open(number: number, files: Readonly<Record<string, string>>): void;
  /** Pushes one commit onto the present target. Returns the commit. */
  push(files: Readonly<Record<string, string>>): string;
  removeBranch(name: string): void;
  /** Comments as a person with write access. Absent if the service accepts no comments at this host. */
  readonly say?: (number: number, comment: string) => void;
  /** The number of comments that were answered with "Nothing was done". */
  readonly refusals?: (number: number) => number;
  /**
   * From now on, merges by the code host omit these files; without arguments, merges omit no files. Absent if the host
   * merges like git.
   */
  readonly leaveOut?: (...files: readonly string[]) => void;
  /** Reports a status to the code host. Absent if CI reports to the service itself. */
  readonly report?: (commit: string, status: string, state: 'success' | 'failure') => void;
}

export function gitForge(host: string, bare: BareRepository): Forge {
  return {
    repo: { host, owner: 'acme', name: 'widgets' },
    bare,
    open: (number, files) => void bare.openPullRequest(number, files),
    push: (files) =>
      ontoTarget(bare, (from) => bare.commitTo('refs/heads/main', from, files, { title: PUSHED, isForced: false })),
    removeBranch: (name) => bare.removeBranch(name),
  };
}

export function githubForge(host: string, repository: RepositoryDouble): Forge {
  repository.answerUnknown(0);
  repository.changePermission('grace', 'write');
  return {
    repo: { host, owner: 'acme', name: 'widgets' },
    bare: repository.record.world,
    open: (number, files) => void repository.openPullRequest(files, { number, by: 'ada' }),
    push: (files) =>
      ontoTarget(repository.record.world, (from) =>
        repository.pushToBranch('main', files, { title: PUSHED, by: 'grace', from, isForced: false }),
      ),
    removeBranch: (name) => repository.removeBranch(name, 'grace'),
    leaveOut: (...files) => repository.leaveOut(...files),
    say: (number, comment) => void repository.comment(number, comment, 'grace'),
    refusals: (number) => repository.comments(number).filter(({ body }) => body.includes(NOTHING_WAS_DONE)).length,
    report: (commit, status, state) => void repository.setStatus(commit, status, state),
  };
}

/** Retries when somebody moved the target in the meantime, because a forced push would undo a merge. */
function ontoTarget(bare: BareRepository, push: (from: string) => string): string {
  for (;;) {
    const tip = bare.tip('main');
    try {
      return push(tip);
    } catch (error) {
      if (bare.tip('main') === tip) throw error;
    }
  }
}

export function testingBranches({ bare }: Forge): readonly string[] {
  return lines(bare.inBare('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/sluice-merge'));
}

/** From now on the repository records the commits pushed to testing branches, for CI. */
export function notePushedTests({ bare }: Forge): void {
  writeFileSync(join(bare.bare, PUSHED_FILE), '');
  bare.installHook(
    'post-receive',
    `while read -r _ commit ref; do case "$commit $ref" in 0000000*) ;; *" refs/heads/sluice-merge/"*) echo "$commit" >>${PUSHED_FILE} ;; esac; done`,
  );
}

/** All commits ever pushed to testing branches, whether the branches exist or not. */
export function pushedTests({ bare }: Forge): readonly string[] {
  return lines(readFileSync(join(bare.bare, PUSHED_FILE), 'utf8'));
}

export function treeOf({ bare }: Forge, commit: string): string {
  return bare.inBare('rev-parse', `${commit}^{tree}`).trim();
}

/** The commits of the target, one after another, from the repository's own reflog. */
export function pastOfTarget({ bare }: Forge): readonly { readonly commit: string; readonly tree: string }[] {
  return lines(bare.inBare('reflog', 'show', '--format=%H %T', 'refs/heads/main'))
    .toReversed()
    .map((line) => ({ commit: line.slice(0, 40), tree: line.slice(41) }));
}

/** The first parent of the commit, and the commit's time by the repository's clock. */
export function madeWhen({ bare }: Forge, commit: string): { readonly parent: string; readonly at: Date } {
  const [seconds, parent = ''] = bare.inBare('log', '-1', '--format=%ct %P', commit).trim().split(' ');
  return { parent, at: new Date(Number(seconds) * 1_000) };
}

export function pathsOf({ bare }: Forge, commit: string): readonly string[] {
  return lines(bare.inBare('ls-tree', '-r', '--name-only', commit));
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
