import type { Account } from '../../forge/accounts';
import type { GitHubState } from '../state';

const JOINED_AT = '2020-01-01T00:00:00Z';
const TEMPLATES = {
  followers_url: '/followers',
  following_url: '/following{/other_user}',
  gists_url: '/gists{/gist_id}',
  starred_url: '/starred{/owner}{/repo}',
  subscriptions_url: '/subscriptions',
  organizations_url: '/orgs',
  repos_url: '/repos',
  events_url: '/events{/privacy}',
  received_events_url: '/received_events',
};

export function accountShape(state: GitHubState, { login, id, type }: Account): Record<string, unknown> {
  const path = `/users/${encodeURIComponent(login)}`;
  const urls = Object.entries(TEMPLATES).map(([field, suffix]) => [field, state.api(path + suffix)]);
  return {
    login,
    id,
    node_id: nodeId('U', id),
    avatar_url: state.html(`/avatars/u/${id}`),
    gravatar_id: '',
    url: state.api(path),
    html_url: state.html(`/${encodeURIComponent(login)}`),
    ...(Object.fromEntries(urls) as Record<string, string>),
    type,
    site_admin: false,
  };
}

/** The caller's own account, as only the owner of an account can read it. */
export function userShape(state: GitHubState, account: Account): Record<string, unknown> {
  const { name, email } = account;
  return {
    ...accountShape(state, account),
    ...{ name, email, company: null, blog: '', location: null, hireable: null, bio: null },
    ...{ public_repos: 0, public_gists: 0, followers: 0, following: 0 },
    ...{ created_at: JOINED_AT, updated_at: JOINED_AT },
  };
}

export function nodeId(kind: string, id: number | string): string {
  return `${kind}_${Buffer.from(String(id)).toString('base64url')}`;
}
