import { readBlob, readCommit, resolveCommit, treeEntries, type TreeEntry } from '../forge/git';
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
  route('repoGetContents', 'GET', /^\/contents\/(.+)$/, (request) => {
    const { bare } = request.repository.world;
    const commit = resolveCommit(bare, request.query.get('ref') ?? 'main');
    const path = decodeURIComponent(request.parameters[0] ?? '');
    const [entry] = commit === null ? [] : treeEntries(bare, commit, path);
    if (commit === null || entry?.path !== path) throw new GiteaRefusal(404, "The target couldn't be found.");
    if (entry.type !== 'tree') return ok(contentShape(request, entry, readBlob(bare, entry.sha)));
    return ok(treeEntries(bare, commit, `${path}/`).map((one) => contentShape(request, one, null)));
  }),
];

/** An entry of a folder or a file. The entry includes its content only if it was requested by its own path. */
function contentShape({ state, repository }: RepositoryRequest, entry: TreeEntry, content: Buffer | null): object {
  const { path, sha, size, type } = entry;
  const url = `${state.origin}/api/v1/repos/${fullNameOf(repository)}/contents/${path}`;
  return {
    ...{ name: path.slice(path.lastIndexOf('/') + 1), path, sha, size, type: type === 'tree' ? 'dir' : 'file', url },
    ...{ content: content?.toString('base64') ?? null, encoding: content === null ? null : 'base64', target: null },
  };
}

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
