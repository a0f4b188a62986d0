import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostRepository, HostUnavailable } from '../../../domain/code-host.port';
import { type Finding, ok, problem, unknown } from '../../../domain/host-examination';
import { gitDate, writeCommit } from '../commit-objects';
import type { Committer } from '../committer';
import type { GitRemote, GitRemotes } from '../git-remote';
import { push, type PushAnswer } from '../push';

/** The answer of a host about the signature of a commit. A string instead says why there is no answer. */
export type Verification = { readonly isVerified: boolean; readonly reason: string | null } | string;

export interface KeyQuestion {
  readonly about: string;
  readonly brand: string;
  /** Asks the host about a commit that it has. */
  readonly ask: (commit: string) => Promise<Verification>;
}

/**
 * The same date in every examination, so that the commit and ref of an examination that died are removed by the next
 * examination.
 */
const COMMITTED_AT = new Date(0);

/**
 * Finds out whether a host accepts a key, which only the host knows. The examiner pushes one signed commit without
 * files, and asks the host about the commit. It is pushed to a ref that is not a branch, so that CI does not run, and
 * the ref is removed again.
 */
export class KeyExaminer {
  constructor(
    private readonly committer: Committer,
    private readonly remotes: Pick<GitRemotes, 'require'>,
  ) {}

  /** Whether the commits of the service are signed. */
  get signs(): boolean {
    return this.committer.key !== null;
  }

  /** The findings about the key; empty if commits are not signed. */
  async examine(repository: HostRepository, { about, brand, ask }: KeyQuestion): Promise<readonly Finding[]> {
    if (!this.signs) return [];
    const folder = await mkdtemp(join(tmpdir(), `${brand}-signature-`));
    try {
      const remote = await this.remotes.require(repository);
      const clone = { remote, directory: folder, git: remote.git.with({ GIT_DIR: folder }) };
      const ref = `refs/${brand}/signature`;
      const commit = await writeSigned(clone, this.committer);
      const answer = await push(clone, [{ ref, commit }]);
      if (answer.type !== 'done') return [notTaken(about, answer)];
      try {
        return [findingOf(about, this.committer, await ask(commit))];
      } finally {
        await push(clone, [{ ref, commit: null }]);
      }
    } catch (error) {
      if (error instanceof HostUnavailable)
        return [unknown(about, `whether it accepts the signing key: ${error.message}`)];
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function writeSigned(clone: Pick<GitRemote, 'git'>, committer: Committer): Promise<string> {
  await clone.git.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=unused']);
  const tree = (await clone.git.run(['hash-object', '-t', 'tree', '-w', '--stdin'])).toString('latin1').trim();
  const signature = { ...committer, date: gitDate(COMMITTED_AT) };
  const message = 'Check whether the code host accepts the signing key\n';
  return writeCommit(clone, { tree, parents: [], author: signature, committer: signature, message });
}

function notTaken(about: string, answer: Exclude<PushAnswer, { type: 'done' }>): Finding {
  if (answer.type === 'raced')
    return unknown(about, 'whether it accepts the signing key: another request checks this now');
  return unknown(about, `whether it accepts the signing key: it refused the test commit: ${answer.why}`);
}

function findingOf(about: string, { email }: Committer, said: Verification): Finding {
  if (typeof said === 'string') return unknown(about, `whether it accepts the signing key: ${said}`);
  if (said.isVerified) return ok(about, 'commits of the service are signed, and the host verifies them');
  const reason = said.reason === null ? '' : ` (${said.reason})`;
  return problem(
    about,
    `the host does not verify commits that the service signed${reason}`,
    `Add the public key as a signing key to the account with the address ${email}. In Gitea and Forgejo, also verify the key in that account.`,
  );
}
