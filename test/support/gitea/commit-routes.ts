import { readCommit, resolveCommit } from '../forge/git';
import { verificationOf } from '../forge/signatures';
import { GiteaRefusal } from './refusal';
import { ok, type RepositoryRequest, route } from './router';
import { fullNameOf } from './state';

const REASONS = {
  unsigned: 'gpg.error.not_signed_commit',
  unknown_key: 'gpg.error.no_gpg_keys_found',
  valid: 'sluice-bot / SHA256:key',
} as const;

export const COMMIT_ROUTES = [
  route('repoGetSingleCommit', 'GET', /^\/git\/commits\/([^/]+)$/, (request) => {
    const { bare } = request.repository.world;
    const sha = resolveCommit(bare, request.parameters[0] ?? '');
    if (sha === null) throw new GiteaRefusal(404, "The target couldn't be found.");
    return ok(commitShape(request, sha));
  }),
];

function commitShape({ state, repository }: RepositoryRequest, sha: string): Readonly<Record<string, unknown>> {
  const { bare } = repository.world;
  const { author, committer, message, tree, parents } = readCommit(bare, sha);
  const url = `${state.origin}/api/v1/repos/${fullNameOf(repository)}/git/commits/${sha}`;
  const verification = verificationOf(bare, sha, state.signingKeys);
  return {
    ...{ url, sha, created: committer.date, author: null, committer: null, files: [], stats: null },
    html_url: `${state.origin}/${fullNameOf(repository)}/commit/${sha}`,
    commit: {
      ...{ url, author, committer, message, tree: { sha: tree, url, created: committer.date } },
      verification: {
        ...{ verified: verification === 'valid', reason: REASONS[verification] },
        ...{ signature: '', signer: null, payload: '' },
      },
    },
    parents: parents.map((parent) => ({ sha: parent, url, created: committer.date })),
  };
}
