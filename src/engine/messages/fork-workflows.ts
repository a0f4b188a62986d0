import { plain, type Quote, shortened } from '../wording/markdown';

const NAMED_AT_MOST = 5;
const LONGEST_PATH = 200;

const SECRETS = 'The tests of the queue run with the repository secrets';

/** Two sentences without the last full stop, for readers of the pull request. `paths`: files that define CI. */
export function changesWorkflows(paths: readonly string[], quote: Quote): string {
  return `It comes from a fork, its author has no write access, and it changes ${named(paths, quote)}. ${SECRETS}`;
}

/**
 * Why the queue does not accept the pull request yet, and what to do. Plain text without a capital and the last full
 * stop, like all refusals.
 */
export function confirmWorkflows(number: number, author: string, paths: readonly string[]): string {
  return `${about(number, author, paths)} ${SECRETS}. Look at the change. If it is harmless, submit it again to start the tests`;
}

/** Why the queue does not accept the pull request at all, and what to do, in the form of `confirmWorkflows`. */
export function refuseWorkflows(number: number, author: string, paths: readonly string[]): string {
  return `${about(number, author, paths)} ${SECRETS}, so this queue does not accept it. Somebody with write access can push the change to a branch of the repository and open a pull request from there`;
}

function about(number: number, author: string, paths: readonly string[]): string {
  return `pull request #${number} comes from a fork, its author ${author} has no write access, and it changes ${named(paths, plain)}.`;
}

function named(paths: readonly string[], quote: Quote): string {
  const shown = paths.slice(0, NAMED_AT_MOST).map((path) => quote(shortened(path, LONGEST_PATH)));
  return `${shown.join(', ')}${paths.length > NAMED_AT_MOST ? ' and others' : ''}`;
}
