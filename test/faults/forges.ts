import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BareRepository } from '../support/bare-repository';
import type { RepositoryDouble } from '../support/github/repository-double';

/** In the answer to a command that may have been given before somebody pushed what is the head now. */
const NOTHING_WAS_DONE = 'Nothing was done';

/** In the repository; each line is a commit. */
const PUSHED_FILE = 'pushed-to-be-tested';

const PUSHED = 'a push past the queue';

/** A repository from outside: what people, CI and a judge do there, past the service. */
export interface Forge {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly bare: BareRepository;
  /** A pull request of one commit that adds these files. */
  open(number: number, files: Readonly<Record<string, string>>): void;
  /** Somebody pushes one commit to the target, onto whatever is there; answers it. */
  push(files: Readonly<Record<string, string>>): string;
  removeBranch(name: string): void;
  /** Where people speak to the service by comments: says it as somebody who may. */
  readonly say?: (number: number, comment: string) => void;
  /** How often it was answered there that nothing was done. */
  readonly refusals?: (number: number) => number;
  /** From now on its merges leave these files out; none: no file. Absent: it merges as git does. */
  readonly leaveOut?: (...files: readonly string[]) => void;
  /** Where CI speaks to the forge and not to the service. */
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

/** Again, where the target moved meanwhile: by force it would undo a landing. */
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

/** From now on the repository notes which commits are pushed to testing branches, as it would tell CI. */
export function notePushedTests({ bare }: Forge): void {
  writeFileSync(join(bare.bare, PUSHED_FILE), '');
  bare.installHook(
    'post-receive',
    `while read -r _ commit ref; do case "$commit $ref" in 0000000*) ;; *" refs/heads/sluice-merge/"*) echo "$commit" >>${PUSHED_FILE} ;; esac; done`,
  );
}

/** The commits that were ever pushed to testing branches, whether these are there or not. */
export function pushedTests({ bare }: Forge): readonly string[] {
  return lines(readFileSync(join(bare.bare, PUSHED_FILE), 'utf8'));
}

export function treeOf({ bare }: Forge, commit: string): string {
  return bare.inBare('rev-parse', `${commit}^{tree}`).trim();
}

/** What the target pointed at, one after another, from the reflog of the repository itself. */
export function pastOfTarget({ bare }: Forge): readonly { readonly commit: string; readonly tree: string }[] {
  return lines(bare.inBare('reflog', 'show', '--format=%H %T', 'refs/heads/main'))
    .toReversed()
    .map((line) => ({ commit: line.slice(0, 40), tree: line.slice(41) }));
}

/** Its first parent, and when it was made, by the clock of the repository. */
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
