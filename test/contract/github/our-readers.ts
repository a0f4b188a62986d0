import { pullRequestIn } from '../../../src/code-hosts/github/reading/pull-request';
import { checkRunIn, statusIn } from '../../../src/code-hosts/github/reading/statuses';
import type { Exchange } from '../../support/forge/exchange';
import { isObject } from './json-schema';

const SOMETIME = new Date(0);

const isPullRequest = (body: unknown): boolean => pullRequestIn(body, 'github.com', SOMETIME) !== null;
const isStatus = (body: unknown): boolean => statusIn(body, 'repository', 'commit') !== null;
const isCheckRun = (body: unknown): boolean => checkRunIn(body, 'repository') !== null;
const all =
  (isOne: (body: unknown) => boolean, field?: string) =>
  (body: unknown): boolean => {
    const list = field === undefined ? body : isObject(body) ? body[field] : null;
    return Array.isArray(list) && list.every(isOne);
  };

/** For each operation, whether our client finds the fields that it needs in an answer. */
const READERS: Readonly<Record<string, (body: unknown) => boolean>> = {
  'pulls/get': isPullRequest,
  'pulls/create': isPullRequest,
  'pulls/update': isPullRequest,
  'pulls/list': all(isPullRequest),
  'repos/create-commit-status': isStatus,
  'repos/list-commit-statuses-for-ref': all(isStatus),
  'repos/get-combined-status-for-ref': all(isStatus, 'statuses'),
  'checks/create': isCheckRun,
  'checks/update': isCheckRun,
  'checks/list-for-ref': all(isCheckRun, 'check_runs'),
};

/**
 * The result of our own client's reading of an answer; 'not_read' if our client does not read answers of this
 * operation.
 */
export function readByUs(operation: string, { status, responseBody }: Exchange): 'read' | 'unreadable' | 'not_read' {
  const reader = READERS[operation];
  if (reader === undefined || status >= 300) return 'not_read';
  return reader(responseBody) ? 'read' : 'unreadable';
}
