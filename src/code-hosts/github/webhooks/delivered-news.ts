import type { HostNews } from '../../code-host.port';
import { at, numberAt, textAt } from '../client/reading';
import { checkRunIn, statusIn } from '../reading/statuses';

/** What may change whether or how a pull request can be merged. Labels and reviewers do not. */
const TELLING_ACTIONS = [
  ...['opened', 'synchronize', 'closed', 'reopened', 'edited', 'converted_to_draft', 'ready_for_review'],
];
const BRANCHES = 'refs/heads/';

/**
 * What a delivery tells about a repository; nothing for events that do not concern the queue. Only what is needed is
 * read, and a delivery that lacks it tells nothing: the slow look finds what it would have told.
 */
export function newsIn(event: string, payload: unknown, repositoryId: string): readonly HostNews[] {
  const news = oneNewsIn(event, payload, repositoryId);
  return news === null ? [] : [news];
}

function oneNewsIn(event: string, payload: unknown, repositoryId: string): HostNews | null {
  switch (event) {
    case 'pull_request':
      return pullRequestNews(payload, repositoryId);
    case 'push':
      return pushNews(payload, repositoryId);
    case 'status': {
      const sha = textAt(payload, 'sha');
      const report = sha === null ? null : statusIn(payload, repositoryId, sha);
      return report === null ? null : { type: 'status_reported', report };
    }
    case 'check_run': {
      const report = checkRunIn(at(payload, 'check_run'), repositoryId);
      return report === null ? null : { type: 'status_reported', report };
    }
    case 'issue_comment':
      return commentNews(payload, repositoryId);
    default:
      return null;
  }
}

function pullRequestNews(payload: unknown, repositoryId: string): HostNews | null {
  const number = numberAt(payload, 'pull_request', 'number');
  if (number === null || !TELLING_ACTIONS.includes(textAt(payload, 'action') ?? '')) return null;
  return { type: 'pull_request_changed', repositoryId, number };
}

function pushNews(payload: unknown, repositoryId: string): HostNews | null {
  const ref = textAt(payload, 'ref');
  if (ref === null || !ref.startsWith(BRANCHES)) return null;
  return { type: 'branch_changed', repositoryId, branch: ref.slice(BRANCHES.length) };
}

function commentNews(payload: unknown, repositoryId: string): HostNews | null {
  const isOfPullRequest = at(payload, 'issue', 'pull_request') !== undefined;
  const number = numberAt(payload, 'issue', 'number');
  const id = numberAt(payload, 'comment', 'id');
  const author = textAt(payload, 'comment', 'user', 'login');
  if (!isOfPullRequest || textAt(payload, 'action') !== 'created') return null;
  if (number === null || id === null || author === null) return null;
  return {
    ...{ type: 'comment_made', repositoryId, number, author },
    commentId: String(id),
    isBot: textAt(payload, 'comment', 'user', 'type') === 'Bot',
    body: textAt(payload, 'comment', 'body') ?? '',
  };
}
