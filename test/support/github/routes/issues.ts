import { ok } from '../answers';
import { addLabel, removeLabel } from '../labels';
import { pageOf, type RepositoryRoute } from '../router';
import { commentShape } from '../shapes/comment';
import { issueShape } from '../shapes/issue';
import { labelEventShape, labelShape } from '../shapes/label';
import { pullOf } from '../state';
import { wantedPull } from './pulls';

const ON_REPOSITORY = '/repos/{owner}/{repo}/issues';
const ON_ISSUE = `${ON_REPOSITORY}/{issue_number}`;
const READING = { for: 'repository', permissions: ['issues', 'pull_requests'], level: 'read' } as const;
const READING_ISSUES = { for: 'repository', permissions: ['issues'], level: 'read' } as const;

/** Routes of issues: their labels, and the comments of all issues. A pull request is also an issue. */
export const ISSUE_ROUTES: readonly RepositoryRoute[] = [
  {
    operation: 'issues/list-comments-for-repo',
    method: 'GET',
    path: `${ON_REPOSITORY}/comments`,
    ...READING,
    handle: (request) => {
      const { state, repository, query } = request;
      const since = wholeSeconds(new Date(query.get('since') ?? 0));
      const time = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
      const found = repository.comments
        .filter((one) => wholeSeconds(one.updatedAt) >= since)
        .sort((a, b) => a[time].getTime() - b[time].getTime() || a.id - b.id);
      const { items, headers } = pageOf(request, query.get('direction') === 'desc' ? found.reverse() : found);
      return ok(
        items.map((comment) => commentShape(state, repository, comment)),
        headers,
      );
    },
  },
  {
    operation: 'issues/list-events-for-repo',
    method: 'GET',
    path: `${ON_REPOSITORY}/events`,
    ...READING_ISSUES,
    handle: (request) => {
      const { state, repository } = request;
      const { items, headers } = pageOf(request, repository.labelEvents.toReversed());
      return ok(
        items.map((event) => ({
          ...labelEventShape(state, repository, event),
          issue: issueShape(state, repository, pullOf(repository, event.number)),
        })),
        headers,
      );
    },
  },
  {
    operation: 'issues/list-events',
    method: 'GET',
    path: `${ON_ISSUE}/events`,
    ...READING_ISSUES,
    handle: (request) => {
      const { state, repository } = request;
      const { number } = wantedPull(request);
      const found = repository.labelEvents.filter((event) => event.number === number);
      const { items, headers } = pageOf(request, found);
      return ok(
        items.map((event) => labelEventShape(state, repository, event)),
        headers,
      );
    },
  },
  {
    operation: 'issues/list-labels-on-issue',
    method: 'GET',
    path: `${ON_ISSUE}/labels`,
    ...READING,
    handle: (request) => {
      const { state, repository } = request;
      const { items, headers } = pageOf(request, wantedPull(request).labels);
      return ok(
        items.map((label) => labelShape(state, repository, label)),
        headers,
      );
    },
  },
  {
    operation: 'issues/add-labels',
    method: 'POST',
    path: `${ON_ISSUE}/labels`,
    ...READING,
    level: 'write',
    handle: (request) => {
      const { state, repository, account, body } = request;
      const pull = wantedPull(request);
      for (const name of (body as { labels?: string[] }).labels ?? []) addLabel(state, repository, pull, name, account);
      return ok(pull.labels.map((label) => labelShape(state, repository, label)));
    },
  },
  {
    operation: 'issues/remove-label',
    method: 'DELETE',
    path: `${ON_ISSUE}/labels/{name}`,
    ...READING,
    level: 'write',
    handle: (request) => {
      const { state, repository, account, parameters } = request;
      const pull = wantedPull(request);
      removeLabel(state, repository, pull, parameters.name ?? '', account);
      return ok(pull.labels.map((label) => labelShape(state, repository, label)));
    },
  },
];

/** The time in whole seconds, as GitHub compares times: changes within the second of `since` are found, too. */
function wholeSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000) * 1000;
}
