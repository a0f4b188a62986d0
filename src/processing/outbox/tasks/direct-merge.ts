import type { CommitState, StatusReport } from '../../../domain/code-host.port';
import { readQueueSettings } from '../../../domain/stored-settings';
import type { DirectMerge, LandRun } from '../../../engine/commands';
import type { LandingRefusal } from '../../../engine/events';
import type { Sql } from '../../../platform/database/sql';
import type { TaskContext } from '../task';
import { readConfiguration } from './configuration-file';
import { type FoundStatuses, needsFile, requiredStatusesOf } from '../required-statuses';

export type DirectMergeCheck =
  /** `tree`: the tree on which the required statuses of the pull request passed, and which the target gets. */
  { readonly type: 'allowed'; readonly tree: string } | { readonly type: 'refused'; readonly because: LandingRefusal };

/**
 * Checks whether a pull request may land on its own tests. The head must contain the target's tip, and must have passed
 * the statuses that the queue would require of a test run on that tip.
 */
export async function checkDirectMerge(
  task: TaskContext<LandRun>,
  direct: DirectMerge,
  sql: Sql,
  brand: string,
): Promise<DirectMergeCheck> {
  const { host, repository, targetBranch, command } = task;
  const { number, head } = command.changes[0]!;
  const tip = command.expectedTip.commit;
  const tree = await host.readTree(repository, head);
  if (tree === null) return { type: 'refused', because: { type: 'head_moved', number } };
  if (!(await host.containsCommit(repository, head, tip))) {
    return notDirect(`Its head ${head} does not contain ${tip}, the tip of ${targetBranch}.`);
  }
  const question = { byHand: direct.requiredStatuses, base: tip };
  const statuses = await requiredStatusesOf(task, question, brand);
  if (statuses.type === 'unreadable') return notDirect(statuses.problem);
  if (statuses.type === 'refused') return notDirect(statuses.details);
  const own = needsFile(task, question) ? await readConfiguration(task, head, brand) : null;
  if (own?.type === 'unreadable') return notDirect(own.problem);
  const place = { repositoryId: repository.id, queueId: task.queueId };
  let open = await namesNotPassed(sql, place, head, statuses);
  // The poller does not read statuses of heads, so a status whose webhook was lost has to be read from the host here.
  if (open.length > 0) {
    const readNow = await host.readStatuses(repository, head);
    open = await namesNotPassed(sql, place, head, { ...statuses, names: open }, readNow);
  }
  if (open.length > 0) return notDirect(`Not passed on its head ${head}: ${open.join(', ')}.`);
  return { type: 'allowed', tree };
}

const PASSED: readonly CommitState[] = ['success', 'neutral', 'skipped'];

type StoredReport = Pick<StatusReport, 'name' | 'kind' | 'state' | 'app' | 'reporter'>;

/**
 * The required statuses that have not passed on the commit. If several apps report a name, or if it is both a check run
 * and a commit status, all these reports must pass. A pinned name must pass from each app to which it is pinned. A name
 * without a report has not passed.
 */
async function namesNotPassed(
  sql: Sql,
  { repositoryId, queueId }: { readonly repositoryId: string; readonly queueId: string },
  sha: string,
  { names, pins }: Pick<FoundStatuses, 'names' | 'pins'>,
  readNow: readonly StatusReport[] = [],
): Promise<string[]> {
  const isTrusted = await trustedReporters(sql, queueId);
  const stored = await sql.rows<StoredReport>`/* direct-merge namesNotPassed */
    SELECT "name", "kind", "state", "app", "reporter" FROM "CommitStatus"
    WHERE "repositoryId" = ${repositoryId}::uuid AND "sha" = ${sha} AND "name" = ANY(${[...names]}::text[])`;
  const isReadNow = ({ name, kind }: { readonly name: string; readonly kind: string }): boolean =>
    readNow.some((report) => report.name === name && report.kind === kind);
  const reports = [...readNow, ...stored.filter((report) => !isReadNow(report))];
  return names.filter((name) => {
    const own = reports.filter((report) => report.name === name && report.state !== 'superseded' && isTrusted(report));
    const apps = pins.flatMap((pin) => (pin.name === name ? [pin.app] : []));
    if (apps.length === 0) return !havePassed(own);
    return !apps.every((app) => havePassed(own.filter((report) => report.app === app)));
  });
}

function havePassed(reports: readonly { readonly state: string }[]): boolean {
  return reports.length > 0 && reports.every(({ state }) => PASSED.includes(state as CommitState));
}

function notDirect(why: string): DirectMergeCheck {
  return { type: 'refused', because: { type: 'not_direct', why } };
}

interface Reported {
  readonly name: string;
  readonly reporter?: string | null;
}

/**
 * Returns a function that tells whether a report counts, by its reporter. It is the rule of `reportsOn`, for reports
 * that are read without the engine.
 */
async function trustedReporters(sql: Sql, queueId: string): Promise<(report: Reported) => boolean> {
  const [queue] = await sql.rows<{ settings: unknown; learned: Reported[] }>`/* direct-merge trustedReporters */
    SELECT "settings", (
      SELECT coalesce(json_agg(json_build_object('name', k."name", 'reporter', k."reporter")), '[]')
      FROM "StatusReporter" k WHERE k."queueId" = q."id") AS "learned"
    FROM "Queue" q WHERE q."id" = ${queueId}::uuid`;
  const { settings = {}, learned = [] } = queue ?? {};
  const { statusReporters } = readQueueSettings(settings);
  return ({ name, reporter = null }) => {
    const wanted = statusReporters.find((one) => one.name === name)?.reporter;
    if (wanted !== undefined) return reporter === wanted;
    const usual = learned.find((one) => one.name === name)?.reporter ?? 'job_token';
    return reporter !== 'job_token' || usual === 'job_token';
  };
}
