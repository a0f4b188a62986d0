import type { RepositoryRecord } from '../records';
import { fullName, type GitHubState } from '../state';
import { accountShape, nodeId } from './account';
import { timeShape } from './time';

/** URLs of a repository's resources: the name of the field, and the part after the repository's URL. */
const ADDRESSES: Readonly<Record<string, string>> = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};

/** The fields of a repository that every mention of it has. */
export function minimalRepositoryShape(state: GitHubState, repository: RepositoryRecord): Record<string, unknown> {
  const { id, owner, name, parent } = repository;
  const path = `/repos/${fullName(repository)}`;
  const addresses = Object.entries(ADDRESSES).map(([field, suffix]) => [field, state.api(path + suffix)]);
  return {
    id,
    node_id: nodeId('R', id),
    name,
    full_name: fullName(repository),
    private: repository.private,
    owner: accountShape(state, owner),
    html_url: state.html(`/${fullName(repository)}`),
    description: repository.description,
    fork: parent !== null,
    url: state.api(path),
    ...(Object.fromEntries(addresses) as Record<string, string>),
  };
}

export function repositoryShape(state: GitHubState, repository: RepositoryRecord): Record<string, unknown> {
  const html = state.html(`/${fullName(repository)}`);
  const createdAt = timeShape(repository.createdAt);
  const open = [...repository.pulls.values()].filter((pull) => pull.state === 'open').length;
  return {
    ...minimalRepositoryShape(state, repository),
    created_at: createdAt,
    updated_at: createdAt,
    pushed_at: createdAt,
    git_url: `${html}.git`,
    ssh_url: `${html}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    homepage: null,
    size: 1,
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    language: null,
    has_issues: true,
    has_projects: false,
    has_downloads: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    forks: 0,
    mirror_url: null,
    archived: false,
    disabled: false,
    open_issues_count: open,
    open_issues: open,
    license: null,
    topics: [],
    visibility: repository.private ? 'private' : 'public',
    default_branch: repository.defaultBranch,
  };
}

/** The answer to the read of one repository. */
export function fullRepositoryShape(state: GitHubState, repository: RepositoryRecord): Record<string, unknown> {
  const { mergeMethods, parent } = repository;
  return {
    ...repositoryShape(state, repository),
    allow_merge_commit: mergeMethods.includes('merge'),
    allow_squash_merge: mergeMethods.includes('squash'),
    allow_rebase_merge: mergeMethods.includes('rebase'),
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    network_count: 0,
    subscribers_count: 0,
    ...(parent === null ? {} : { parent: repositoryShape(state, parent), source: repositoryShape(state, parent) }),
  };
}
