import type { Account } from '../forge/accounts';
import { notFound } from './answers';
import { announcePull } from './events';
import type { LabelRecord, PullRequest, RepositoryRecord } from './records';
import { labelShape } from './shapes/label';
import type { GitHubState } from './state';

/** Adds a label to a pull request. A label that is already set causes no event. */
export function addLabel(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  name: string,
  by: Account,
): void {
  if (pull.labels.some((one) => isNamed(one, name))) return;
  const label = labelOf(state, repository, name);
  pull.labels = [...pull.labels, label];
  note(state, repository, pull, 'labeled', label, by);
}

/** Removes a label from a pull request. Letter case does not matter. */
export function removeLabel(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  name: string,
  by: Account,
): void {
  const label = pull.labels.find((one) => isNamed(one, name));
  if (label === undefined) throw notFound('Label does not exist');
  pull.labels = pull.labels.filter((one) => one !== label);
  note(state, repository, pull, 'unlabeled', label, by);
}

function note(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  event: 'labeled' | 'unlabeled',
  label: LabelRecord,
  by: Account,
): void {
  const now = state.now();
  pull.updatedAt = now;
  repository.labelEvents.push({ id: state.nextId(), number: pull.number, event, label, actor: by, createdAt: now });
  announcePull(state, repository, pull, event, by, { label: labelShape(state, repository, label) });
}

function labelOf(state: GitHubState, repository: RepositoryRecord, name: string): LabelRecord {
  const known = repository.labels.find((one) => isNamed(one, name));
  if (known !== undefined) return known;
  const label = { id: state.nextId(), name };
  repository.labels.push(label);
  return label;
}

function isNamed(label: LabelRecord, name: string): boolean {
  return label.name.toLowerCase() === name.toLowerCase();
}
