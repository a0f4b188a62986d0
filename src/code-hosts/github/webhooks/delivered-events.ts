import type { HostEvent, StatusReport } from '../../../domain/code-host.port';
import { branchPushed, commentEventsIn, pullRequestEventsIn } from '../../forge/webhooks/told-events';
import { at, numberAt, textAt } from '../../reading';
import { isBot } from '../reading/people';
import { headBranchOf } from '../reading/pull-request';
import { baseIn } from '../reading/stacks';
import { checkRunIn, statusIn } from '../reading/statuses';

/** The actions that may change whether a pull request can be merged, or how. Changes of labels do not. */
const TELLING_ACTIONS = [
  ...['opened', 'synchronize', 'closed', 'reopened', 'edited', 'converted_to_draft', 'ready_for_review'],
];

/**
 * The host events of a delivery; empty if it does not concern the queue. A delivery that lacks a needed field gives no
 * events, either, because polling finds the same facts.
 */
export function eventsIn(event: string, payload: unknown, repositoryId: string): readonly HostEvent[] {
  switch (event) {
    case 'pull_request':
      return pullRequestEvents(payload, repositoryId);
    case 'push':
      return branchPushed(
        repositoryId,
        textAt(payload, 'ref'),
        textAt(payload, 'after'),
        textAt(payload, 'sender', 'login'),
      );
    case 'status': {
      const sha = textAt(payload, 'sha');
      return reported(sha === null ? null : statusIn(payload, repositoryId, sha));
    }
    case 'check_run':
      return reported(checkRunIn(at(payload, 'check_run'), repositoryId));
    case 'pull_request_review':
    case 'pull_request_review_thread': {
      const number = numberAt(payload, 'pull_request', 'number');
      return number === null ? [] : [{ type: 'pull_request_changed', repositoryId, number }];
    }
    case 'issue_comment':
      return at(payload, 'issue', 'pull_request') === undefined ? [] : commentEventsIn(payload, repositoryId, isBot);
    default:
      return [];
  }
}

function reported(report: StatusReport | null): readonly HostEvent[] {
  return report === null ? [] : [{ type: 'status_reported', report }];
}

function pullRequestEvents(payload: unknown, repositoryId: string): readonly HostEvent[] {
  const number = numberAt(payload, 'pull_request', 'number');
  const action = textAt(payload, 'action') ?? '';
  if (number === null) return [];
  if (action === 'labeled') {
    const label = textAt(payload, 'label', 'name');
    return label === null ? [] : [{ type: 'label_set', repositoryId, number, label }];
  }
  if (!TELLING_ACTIONS.includes(action)) return [];
  const words = { pushed: 'synchronize', turned: 'base', baseIn, headBranchOf };
  return pullRequestEventsIn(payload, repositoryId, number, words);
}
