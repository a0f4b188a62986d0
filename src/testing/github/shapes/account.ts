import type { Account } from '../accounts';
import type { GitHubState } from '../state';

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

export function nodeId(kind: string, id: number | string): string {
  return `${kind}_${Buffer.from(String(id)).toString('base64url')}`;
}
