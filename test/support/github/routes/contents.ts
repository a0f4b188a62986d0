import { notFound, ok, type Answer } from '../answers';
import { attempt, countCommits, readBlob, resolveCommit, treeEntries, type TreeEntry } from '../../forge/git';
import type { RepositoryRecord } from '../records';
import type { RepositoryRequest, RepositoryRoute } from '../router';
import { commitShape } from '../shapes/commit';
import { fullName, type GitHubState } from '../state';
import { runGit } from '../../bare-repository';

const READING = { for: 'repository', permissions: ['contents'], level: 'read' } as const;
const MOST_COMMITS = 250;

export const CONTENT_ROUTES: readonly RepositoryRoute[] = [
  {
    operation: 'repos/get-content',
    method: 'GET',
    path: '/repos/{owner}/{repo}/contents/{path}',
    ...READING,
    handle: readContent,
  },
  {
    operation: 'repos/compare-commits-with-basehead',
    method: 'GET',
    path: '/repos/{owner}/{repo}/compare/{basehead}',
    ...READING,
    handle: compare,
  },
];

function readContent({ state, repository, parameters, query, accept }: RepositoryRequest): Answer {
  const { bare } = repository.world;
  const path = parameters.path ?? '';
  const ref = query.get('ref');
  const commit = resolveCommit(bare, ref ?? 'refs/heads/main');
  if (commit === null) throw notFound(`No commit found for the ref ${ref ?? 'main'}`);
  const [entry] = treeEntries(bare, commit, path);
  if (entry?.path !== path) throw notFound();
  if (entry.type === 'tree') {
    const inside = treeEntries(bare, commit, `${path}/`);
    return ok(inside.map((one) => ({ ...entryShape(state, repository, one, commit), type: kindOf(one) })));
  }
  const content = readBlob(bare, entry.sha);
  if (/\braw\b/.test(accept)) {
    return { status: 200, raw: { content, mediaType: 'application/vnd.github.raw+json; charset=utf-8' } };
  }
  const encoded = content.toString('base64').replaceAll(/.{60}/g, '$&\n');
  return ok({ ...entryShape(state, repository, entry, commit), type: 'file', content: encoded, encoding: 'base64' });
}

function entryShape(
  state: GitHubState,
  repository: RepositoryRecord,
  { path, sha, size, type }: TreeEntry,
  commit: string,
): Record<string, unknown> {
  const name = fullName(repository);
  const encoded = encodeURI(path);
  const self = state.api(`/repos/${name}/contents/${encoded}?ref=${commit}`);
  const git = state.api(`/repos/${name}/git/${type}s/${sha}`);
  const html = state.html(`/${name}/${type}/${commit}/${encoded}`);
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha,
    size,
    url: self,
    html_url: html,
    git_url: git,
    download_url: type === 'blob' ? state.html(`/${name}/raw/${commit}/${encoded}`) : null,
    _links: { self, git, html },
  };
}

function kindOf({ type }: TreeEntry): string {
  return type === 'tree' ? 'dir' : type === 'commit' ? 'submodule' : 'file';
}

function compare({ state, repository, parameters }: RepositoryRequest): Answer {
  const { bare } = repository.world;
  const [from = '', to = ''] = (parameters.basehead ?? '').split('...');
  const [base, head] = [resolveCommit(bare, from), resolveCommit(bare, to)];
  if (base === null || head === null) throw notFound();
  const common = attempt(bare, ['merge-base', base, head]);
  if (common.status !== 0) throw notFound(`No common ancestor between ${from} and ${to}.`);
  const [ahead, behind] = [countCommits(bare, base, head), countCommits(bare, head, base)];
  const ids = runGit(bare, ['rev-list', '--reverse', `--max-count=${MOST_COMMITS}`, `${base}..${head}`]);
  const html = state.html(`/${fullName(repository)}/compare/${base}...${head}`);
  return ok({
    url: state.api(`/repos/${fullName(repository)}/compare/${base}...${head}`),
    html_url: html,
    permalink_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: commitShape(state, repository, base),
    merge_base_commit: commitShape(state, repository, common.stdout.trim()),
    status: ahead === 0 ? (behind === 0 ? 'identical' : 'behind') : behind === 0 ? 'ahead' : 'diverged',
    ahead_by: ahead,
    behind_by: behind,
    total_commits: ahead,
    commits: ids
      .split('\n')
      .filter(Boolean)
      .map((id) => commitShape(state, repository, id)),
    files: [],
  });
}
