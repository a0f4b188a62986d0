import type { CheckRunRecord, RepositoryRecord, StatusRecord } from './records';

export type ContextResult = 'expected' | 'pending' | 'failing' | 'success';

const GOOD_CONCLUSIONS = new Set<CheckRunRecord['conclusion']>(['success', 'neutral', 'skipped']);

/** The newest status of each context, the newest first. */
export function latestStatuses(repository: RepositoryRecord, sha: string): StatusRecord[] {
  const latest = new Map<string, StatusRecord>();
  for (const status of repository.statuses) {
    if (status.sha !== sha) continue;
    latest.delete(status.context);
    latest.set(status.context, status);
  }
  return [...latest.values()].reverse();
}

/** The newest check run of each name and suite, the newest first. */
export function latestCheckRuns(repository: RepositoryRecord, sha: string): CheckRunRecord[] {
  const latest = new Map<string, CheckRunRecord>();
  for (const run of repository.checkRuns) {
    if (run.sha === sha) latest.set(`${run.suiteId} ${run.name}`, run);
  }
  return [...latest.values()].sort((a, b) => b.id - a.id);
}

/**
 * The results of a commit by name. A result is a status or a check run; if both have the name, the worse one counts. If
 * a name is pinned to an app, only this app's results count.
 */
export function resultsOf(
  repository: RepositoryRecord,
  sha: string,
  pins: Readonly<Record<string, number>> = {},
): Map<string, ContextResult> {
  const results = new Map<string, ContextResult>();
  const add = (name: string, result: ContextResult): void => {
    const known = results.get(name);
    if (known === undefined || known === 'success' || result === 'failing') results.set(name, result);
  };
  for (const { context, state, appId } of latestStatuses(repository, sha)) {
    if (pins[context] !== undefined && pins[context] !== appId) continue;
    add(context, state === 'success' || state === 'pending' ? state : 'failing');
  }
  for (const { name, app, status, conclusion } of latestCheckRuns(repository, sha)) {
    if ((pins[name] ?? app.id) !== app.id) continue;
    add(name, status !== 'completed' ? 'pending' : GOOD_CONCLUSIONS.has(conclusion) ? 'success' : 'failing');
  }
  return results;
}
