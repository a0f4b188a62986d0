import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostUnavailable, type CodeHost, type HostRepository } from '../../src/domain/code-host.port';
import type { Committer } from '../../src/code-hosts/git/committer';
import { GitClones } from '../../src/code-hosts/git/git-clone';
import { GitCommand } from '../../src/code-hosts/git/git-command';
import { GitHost } from '../../src/code-hosts/git/git-host';
import { writeGitConfig } from '../../src/code-hosts/git/git-config-file';
import type { PullRequestRefs } from '../../src/code-hosts/git/names';
import { GitRemotes } from '../../src/code-hosts/git/git-remote';
import type { LetterCase } from '../../src/domain/host-repository';
import { MemoryHost } from '../../src/code-hosts/memory/memory-host';
import { SystemClock } from '../../src/platform/clock/clock';
import type { HostWorld } from '../../src/testing/code-host-contract';
import { BareRepository } from '../support/bare-repository';
import { Poison } from '../support/poison';

export const WIDGETS: HostRepository = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  host: 'git.example',
  owner: 'acme',
  name: 'widgets',
};

const TOO_MANY = 'Too many branches';
/**
 * An `update` hook that refuses new testing branches. The hook gets the ref, the ref's old commit and the ref's new
 * commit as arguments.
 */
const NO_NEW_TESTING_BRANCHES = `case "$1 $2" in refs/heads/sluice-merge/*' ${'0'.repeat(40)}') echo '${TOO_MANY}' >&2; exit 1 ;; esac`;

export const COMMITTER: Committer = { name: 'Sluice', email: 'sluice@localhost', key: null };

export function makeGitHost(
  world: BareRepository,
  options: { url?: string; sshCommand?: string; data?: string; refs?: PullRequestRefs; committer?: Committer } = {},
): GitHost {
  const data = options.data ?? world.dataDirectory;
  const path = `${ownPrograms(world)}:${process.env.PATH ?? ''}`;
  const git = new GitCommand({ PATH: path }, writeGitConfig(data));
  const plain = new GitRemotes(
    'git.example',
    options.url ?? world.urlTemplate,
    git,
    options.sshCommand ?? '/bin/false',
  );
  return new GitHost({
    clock: new SystemClock(),
    remotes: options.refs === undefined ? plain : withRefs(plain, options.refs),
    clones: new GitClones(join(data, 'clones'), git),
    checks: { prepare: () => Promise.resolve(), cancel: () => Promise.resolve(), whyOff: () => null },
    committer: options.committer ?? COMMITTER,
    pollSeconds: 5,
  });
}

/** Finds the same repositories, with the names that a code host gives to the refs of pull requests. */
function withRefs(remotes: GitRemotes, refs: PullRequestRefs): Pick<GitRemotes, 'find' | 'require'> {
  return {
    find: async (repository) => {
      const remote = await remotes.find(repository);
      return remote && { ...remote, ...refs };
    },
    require: async (repository) => ({ ...(await remotes.require(repository)), ...refs }),
  };
}

export function gitHostWorld(): HostWorld {
  const world = BareRepository.create();
  const away = join(world.folder, 'away');
  return worldOf(world, makeGitHost(world), {
    goDown: () => renameSync(join(world.folder, 'repositories'), away),
    recover: () => renameSync(away, join(world.folder, 'repositories')),
  });
}

export function worldOf(
  world: BareRepository,
  host: CodeHost,
  power: Pick<HostWorld, 'goDown' | 'recover'>,
): HostWorld {
  return {
    host,
    repository: WIDGETS,
    openPullRequest: (number, changes, from) => world.openPullRequest(number, changes, { from }),
    pushToPullRequest: (number, changes) => world.pushToPullRequest(number, changes),
    pushTo: (branch, changes) => world.pushTo(branch, changes),
    setBranch: (branch, commit) => world.setBranch(branch, commit),
    removeBranch: (branch) => world.removeBranch(branch),
    openUnbuildablePullRequest: (number) => openWithPathThatLeadsOut(world, number),
    refuseTestingBranches: () => {
      world.installHook('update', NO_NEW_TESTING_BRANCHES);
      return TOO_MANY;
    },
    overtakeNextLanding: (branch, commit) => overtakeNextPush(world, branch, commit),
    branches: () => world.branches(),
    files: (commit) => world.files(commit),
    ...power,
    close: () => world.close(),
  };
}

/** Opens a pull request that git can read and merge, but not check out. Returns its head. */
export function openWithPathThatLeadsOut(world: BareRepository, number: number): string {
  const poison = new Poison(world);
  const tree = poison.tree([{ name: 'x', blob: poison.blob('x\n') }]);
  return poison.openPullRequest(number, [{ name: '..', tree }]);
}

/**
 * A folder of programs that take precedence over the machine's own programs. The folder is empty until a test adds a
 * program.
 */
function ownPrograms(world: BareRepository): string {
  return join(world.folder, 'programs');
}

/** At the next `git push` of the host, the branch is at another commit than at the host's read before it. */
export function overtakeNextPush(world: BareRepository, branch: string, commit: string | null): void {
  const ref = `refs/heads/${branch}`;
  const change = commit === null ? `-d ${ref}` : `${ref} ${commit}`;
  const file = join(ownPrograms(world), 'git');
  mkdirSync(ownPrograms(world), { recursive: true });
  writeFileSync(
    file,
    `#!/bin/sh
PATH=\${PATH#*:}; export PATH
case " $* " in *' push '*) rm "$0"; git --git-dir='${world.bare}' update-ref ${change} ;; esac
exec git "$@"
`,
  );
  chmodSync(file, 0o755);
}

export function memoryHostWorld(letterCase?: LetterCase): HostWorld {
  const host = new MemoryHost('git.example', 5, new SystemClock(), letterCase);
  const repository = host.repository(WIDGETS.owner, WIDGETS.name);
  return {
    host,
    repository: WIDGETS,
    openPullRequest: (number, files, from) => repository.openPullRequest(number, { files, from }),
    pushToPullRequest: (number, changes) => repository.pushToPullRequest(number, changes),
    pushTo: (branch, changes) => repository.pushTo(branch, changes),
    setBranch: (branch, commit) => void repository.branches.set(branch, commit),
    removeBranch: (branch) => void repository.branches.delete(branch),
    openUnbuildablePullRequest: (number) => repository.openPullRequest(number, { poison: 'A path in it leads out.' }),
    refuseTestingBranches: () => {
      repository.pushRule = () => TOO_MANY;
      return TOO_MANY;
    },
    overtakeNextLanding: (branch, commit) =>
      host.faults.beforeNext('land', () => {
        if (commit === null) repository.branches.delete(branch);
        else repository.branches.set(branch, commit);
      }),
    turn: {
      changeBase: (number, branch) => void (repository.pullRequest(number).base = branch),
      convertToDraft: (number) => void (repository.pullRequest(number).draft = true),
      close: (number) => void (repository.pullRequest(number).state = 'closed'),
    },
    branches: () => [...repository.branches.keys()].sort(),
    files: (commit) => repository.files(commit),
    goDown: () => host.faults.goDown(new HostUnavailable('git.example', 'no_answer', 'It does not answer.')),
    recover: () => host.faults.recover(),
    close: () => undefined,
  };
}
