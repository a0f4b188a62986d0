import type { BranchPush, HeadTold, InboxEvent, ResultsUploaded } from '../../domain/code-host.port';
import type { Delivery } from './inbox.store';

/** Deliveries about one subject, in the order of arrival. */
export function groupBySubject(deliveries: readonly Delivery[]): readonly Delivery[][] {
  const groups = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const subject = subjectOfEvent(delivery.event);
    groups.set(subject, [...(groups.get(subject) ?? []), delivery]);
  }
  return [...groups.values()];
}

export function headsToldIn(deliveries: readonly Delivery[]): readonly HeadTold[] {
  return deliveries.flatMap(({ event }) => (event.type === 'pull_request_changed' && event.head ? [event.head] : []));
}

export function pushesToldIn(deliveries: readonly Delivery[]): readonly BranchPush[] {
  return deliveries.flatMap(({ event }) => (event.type === 'branch_changed' && event.pushed ? [event.pushed] : []));
}

export function uploadedIn(event: InboxEvent): readonly ResultsUploaded[] {
  return event.type === 'results_uploaded' ? [event] : [];
}

export function subjectOfEvent(event: InboxEvent): string {
  switch (event.type) {
    case 'status_reported':
      return `commit ${event.report.sha}`;
    case 'results_uploaded':
      return `results of ${event.commit}`;
    case 'statuses_unclear':
      return `unclear statuses of ${event.commit}`;
    case 'pull_request_changed':
      return `pull request ${event.number}`;
    case 'branch_changed':
      return `branch ${event.branch}`;
    case 'comment_made':
      return `comment ${event.commentId}`;
    case 'comment_edited':
      return `edit ${event.commentId} ${event.editedAt}`;
    case 'label_set':
      return `label ${event.number} ${event.label}`;
    case 'pull_request_opened':
      return `opening ${event.number} ${event.openedAt} ${event.base}`;
  }
}
