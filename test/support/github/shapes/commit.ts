import { readCommit, type CommitFacts, type Signature } from '../../forge/git';
import type { RepositoryRecord } from '../records';
import { verificationOf } from '../../forge/signatures';
import { fullName, type GitHubState } from '../state';
import { accountShape, nodeId } from './account';

const VERIFIED_AT = '2026-01-02T03:04:05Z';

function verification({ signingKeys }: GitHubState, { world }: RepositoryRecord, sha: string): Record<string, unknown> {
  const reason = verificationOf(world.bare, sha, signingKeys);
  const isSigned = reason !== 'unsigned';
  return {
    ...{ verified: reason === 'valid', reason, verified_at: reason === 'valid' ? VERIFIED_AT : null },
    ...{ signature: isSigned ? '-----BEGIN SSH SIGNATURE-----' : null, payload: isSigned ? `tree ${sha}` : null },
  };
}

export function commitShape(state: GitHubState, repository: RepositoryRecord, sha: string): Record<string, unknown> {
  const facts = readCommit(repository.world.bare, sha);
  const { api, html } = addresses(state, repository);
  return {
    sha,
    node_id: nodeId('C', sha),
    commit: {
      author: person(facts.author),
      committer: person(facts.committer),
      message: facts.message,
      tree: { sha: facts.tree, url: `${api}/git/trees/${facts.tree}` },
      url: `${api}/git/commits/${sha}`,
      comment_count: 0,
      verification: verification(state, repository, sha),
    },
    url: `${api}/commits/${sha}`,
    html_url: `${html}/commit/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    author: accountOf(state, facts.author),
    committer: accountOf(state, facts.committer),
    parents: facts.parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${html}/commit/${parent}`,
    })),
  };
}

/** The commit as git has it, without the fields that GitHub adds. */
export function gitCommitShape(state: GitHubState, repository: RepositoryRecord, sha: string): Record<string, unknown> {
  const { tree, author, committer, message, parents } = readCommit(repository.world.bare, sha);
  const { api, html } = addresses(state, repository);
  return {
    sha,
    node_id: nodeId('C', sha),
    url: `${api}/git/commits/${sha}`,
    html_url: `${html}/commit/${sha}`,
    author: person(author),
    committer: person(committer),
    tree: { sha: tree, url: `${api}/git/trees/${tree}` },
    message,
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${api}/git/commits/${parent}`,
      html_url: `${html}/commit/${parent}`,
    })),
    verification: verification(state, repository, sha),
  };
}

/** A commit as the event `push` shows it. */
export function pushedCommitShape(
  state: GitHubState,
  repository: RepositoryRecord,
  facts: CommitFacts,
): Record<string, unknown> {
  const { html } = addresses(state, repository);
  return {
    id: facts.sha,
    tree_id: facts.tree,
    distinct: true,
    message: facts.message,
    timestamp: facts.committer.date,
    url: `${html}/commit/${facts.sha}`,
    author: person(facts.author),
    committer: person(facts.committer),
    added: [],
    removed: [],
    modified: [],
  };
}

export function refShape(
  state: GitHubState,
  repository: RepositoryRecord,
  ref: string,
  sha: string,
): Record<string, unknown> {
  const { api } = addresses(state, repository);
  return {
    ref,
    node_id: nodeId('REF', ref),
    url: `${api}/git/${encodeURI(ref)}`,
    object: { sha, type: 'commit', url: `${api}/git/commits/${sha}` },
  };
}

function addresses(state: GitHubState, repository: RepositoryRecord): { api: string; html: string } {
  const path = fullName(repository);
  return { api: state.api(`/repos/${path}`), html: state.html(`/${path}`) };
}

/** The account with the email address of the signature; null if there is none. */
function accountOf(state: GitHubState, { email }: Signature): Record<string, unknown> | null {
  const account = state.accounts.findByEmail(email);
  return account === null ? null : accountShape(state, account);
}

function person({ name, email, date }: Signature): Record<string, string> {
  return { name, email, date };
}
