import { NO_COMMIT } from '../../forge/git';
import type { ActivityRecord } from '../records';
import type { GitHubState } from '../state';
import { accountShape, nodeId } from './account';
import { timeShape } from './time';

export function activityShape(state: GitHubState, activity: ActivityRecord): Record<string, unknown> {
  const { id, branch, before, after, type, actor, at } = activity;
  return {
    id,
    node_id: nodeId('PSH', id),
    before: before ?? NO_COMMIT,
    after: after ?? NO_COMMIT,
    ref: `refs/heads/${branch}`,
    timestamp: timeShape(at),
    activity_type: type,
    actor: accountShape(state, actor),
  };
}
