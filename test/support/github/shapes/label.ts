import type { LabelEventRecord, LabelRecord, RepositoryRecord } from '../records';
import { fullName, type GitHubState } from '../state';
import { accountShape, nodeId } from './account';
import { timeShape } from './time';

const COLOR = 'ededed';

export function labelShape(
  state: GitHubState,
  repository: RepositoryRecord,
  { id, name }: LabelRecord,
): Record<string, unknown> {
  const url = state.api(`/repos/${fullName(repository)}/labels/${encodeURIComponent(name)}`);
  return { id, node_id: nodeId('LA', id), url, name, color: COLOR, default: false, description: '' };
}

/** An event about a label, as the list for one issue has it. The list for a whole repository also names the issue. */
export function labelEventShape(
  state: GitHubState,
  repository: RepositoryRecord,
  { id, event, label, actor, createdAt }: LabelEventRecord,
): Record<string, unknown> {
  return {
    id,
    node_id: nodeId('LE', id),
    url: state.api(`/repos/${fullName(repository)}/issues/events/${id}`),
    actor: accountShape(state, actor),
    event,
    commit_id: null,
    commit_url: null,
    created_at: timeShape(createdAt),
    label: { name: label.name, color: COLOR },
    performed_via_github_app: null,
  };
}
