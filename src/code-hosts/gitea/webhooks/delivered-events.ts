import type { HostEvent } from '../../../domain/code-host.port';
import { branchPushed, commentEventsIn, pullRequestEventsIn } from '../../forge/webhooks/told-events';
import { at, listAt, numberAt, textAt } from '../../reading';
import { isProgram } from '../conversation/people';
import { giteaHeadBranchOf } from '../reading/pull-request';
import { toldStatusIn } from '../reading/statuses';

/** The actions that may change whether a pull request can be merged, or how. */
const TELLING_ACTIONS = ['opened', 'synchronized', 'closed', 'reopened', 'edited', 'reviewed'];
const LABEL_ACTIONS = ['label_updated', 'labeled'];
const MOST_LABELS = 20;
const WORDS = {
  pushed: 'synchronized',
  turned: 'ref',
  baseIn: (pullRequest: unknown) => textAt(pullRequest, 'base', 'ref'),
  headBranchOf: giteaHeadBranchOf,
};

/**
 * The host events of a delivery; empty if it does not concern the queue. A delivery is recognised by its fields,
 * because event names differ between servers, and one version leaves out the name for statuses. A delivery that lacks a
 * needed field gives no events, either, because polling finds the same facts.
 */
export function giteaEventsIn(payload: unknown, repositoryId: string, bots: readonly string[]): readonly HostEvent[] {
  if (at(payload, 'comment') !== undefined) return commentEvents(payload, repositoryId, bots);
  if (at(payload, 'pull_request') !== undefined) return pullRequestEvents(payload, repositoryId);
  if (textAt(payload, 'context') !== null) return statusEvents(payload, repositoryId);
  // Forgejo sends no webhook for statuses, but a webhook for the end of a workflow run.
  const commit = textAt(payload, 'run', 'commit_sha');
  if (commit !== null) return [{ type: 'statuses_unclear', repositoryId, commit }];
  return branchEvents(payload, repositoryId);
}

function pullRequestEvents(payload: unknown, repositoryId: string): readonly HostEvent[] {
  const number = numberAt(payload, 'pull_request', 'number') ?? numberAt(payload, 'number');
  const action = textAt(payload, 'action') ?? '';
  if (number === null) return [];
  if (LABEL_ACTIONS.includes(action)) {
    // The delivery has the present labels, but does not say which label changed; the host's own record does.
    const names = listAt(payload, 'pull_request', 'labels').map((label) => textAt(label, 'name'));
    const labels = names.filter((name) => name !== null).slice(0, MOST_LABELS);
    return labels.map((label) => ({ type: 'label_set', repositoryId, number, label }));
  }
  if (!TELLING_ACTIONS.includes(action)) return [];
  return pullRequestEventsIn(payload, repositoryId, number, WORDS);
}

function statusEvents(payload: unknown, repositoryId: string): readonly HostEvent[] {
  const sha = textAt(payload, 'sha') ?? textAt(payload, 'commit', 'id');
  const report = sha === null ? null : toldStatusIn(payload, repositoryId, sha);
  return report === null ? [] : [{ type: 'status_reported', report }];
}

/**
 * The events of a changed branch. A delivery about a push has the full ref; a delivery about a created or deleted
 * branch has only its name.
 */
function branchEvents(payload: unknown, repositoryId: string): readonly HostEvent[] {
  const ref = textAt(payload, 'ref') ?? '';
  if (ref.startsWith('refs/heads/'))
    return branchPushed(repositoryId, ref, textAt(payload, 'after'), textAt(payload, 'pusher', 'login'));
  if (ref === '' || textAt(payload, 'ref_type') !== 'branch') return [];
  const isDeleted = textAt(payload, 'sha') === null;
  const pushed = isDeleted ? { pushed: { commit: null, by: textAt(payload, 'sender', 'login') } } : {};
  return [{ type: 'branch_changed', repositoryId, branch: ref, ...pushed }];
}

function commentEvents(payload: unknown, repositoryId: string, bots: readonly string[]): readonly HostEvent[] {
  const isOfPullRequest = at(payload, 'is_pull') === true || at(payload, 'issue', 'pull_request') != null;
  if (!isOfPullRequest) return [];
  return commentEventsIn(payload, repositoryId, (user) => isProgram(textAt(user, 'login') ?? '', bots));
}
