import type { GitHubState, Installation } from '../state';
import { accountShape, nodeId } from './account';
import { timeShape } from './time';

export function installationShape(state: GitHubState, installation: Installation): Record<string, unknown> {
  const { id, account, permissions, createdAt } = installation;
  const at = timeShape(createdAt);
  return {
    id,
    node_id: nodeId('I', id),
    account: accountShape(state, account),
    repository_selection: 'all',
    access_tokens_url: state.api(`/app/installations/${id}/access_tokens`),
    repositories_url: state.api('/installation/repositories'),
    html_url: state.html(`/organizations/${account.login}/settings/installations/${id}`),
    app_id: state.app.id,
    app_slug: state.app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions,
    events: state.events,
    created_at: at,
    updated_at: at,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}
