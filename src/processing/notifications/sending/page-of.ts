import type { WebhookEventFacts } from '../webhook-event';

/** The page that shows what an event is about. */
export function pageOf({ repo, targetBranch, pullRequest, test }: WebhookEventFacts, publicUrl: string): string {
  if (test !== null) return `${publicUrl}/ui/tests/${test.id}`;
  if (repo === null || targetBranch === null) return `${publicUrl}/ui`;
  const question = new URLSearchParams({
    repo: `${repo.host}/${repo.owner}/${repo.name}`,
    branch: targetBranch,
    ...(pullRequest !== null && { number: String(pullRequest.number) }),
  });
  return `${publicUrl}/ui/${pullRequest === null ? 'queue' : 'pull-request'}?${question.toString()}`;
}

/** The page of all tests of the repository. */
export function testsPageOf({ repo }: WebhookEventFacts, publicUrl: string): string {
  if (repo === null) return `${publicUrl}/ui`;
  const question = new URLSearchParams({ repo: `${repo.host}/${repo.owner}/${repo.name}` });
  return `${publicUrl}/ui/tests?${question.toString()}`;
}
