import { QUEUE_SETTINGS } from '../../../domain/queue-settings';
import type { Change, EntryMoved } from '../../../engine/changes';
import type { Decided } from '../../../engine/decision';
import type { QueueEvent } from '../../../engine/events';
import type { QueueSnapshot } from '../../../engine/model';
import { type AuditAction, type AuditedChange, differenceOf, changeRecorded } from '../../../platform/audit/audit-log';
import type { AuditSource } from '../../../platform/audit/audit-source';
import type { QueueInput } from '../queue-input';
import type { QueueLock, QueueRow } from '../queue-lock';

const SETTINGS = ['state', ...Object.keys(QUEUE_SETTINGS)];
const SERVICE: AuditSource = { actor: 'sluice', channel: 'service', address: null };

type AuditedPart = Pick<AuditedChange, 'action' | 'subject' | 'from' | 'to'> & { readonly by: AuditSource };

/** Whether `auditDecision` may have something to record about the decision. */
export function mayBeAudited({ changes }: Decided, { event, by }: QueueInput): boolean {
  if (event.type === 'settingsChanged' || event.type === 'allCancelRequested') return true;
  if (by !== undefined && isRequest(event)) return true;
  return changes.some(
    (change) => change.type === 'queueMoved' || change.type === 'queueDeleted' || isDirectMerge(change),
  );
}

/** Adds lasting changes to the audit log: settings, the queue's state, the queue itself, and direct merges. */
export async function auditDecision(
  lock: QueueLock,
  before: QueueSnapshot,
  decided: Decided,
  input: QueueInput,
  now: Date,
): Promise<void> {
  const { event, by = SERVICE } = input;
  const { organizationId, repositoryId } = lock.row;
  const record = (part: AuditedPart) =>
    lock.tx.execute(changeRecorded({ ...part, organizationId, repositoryId, at: now }));
  if (event.type === 'settingsChanged') {
    const changed = changedSettings(lock, decided);
    if (changed) await record({ ...ofQueue(lock, 'queue.updated'), ...changed, by });
  }
  const cancelled = event.type === 'allCancelRequested' ? numbersCancelled(decided) : [];
  if (cancelled.length > 0)
    await record({ ...ofQueue(lock, 'queue.all_cancelled'), from: null, to: { cancelled }, by });
  const request = requestOf(lock, before, decided, input);
  if (request) await record(request);
  for (const change of decided.changes) {
    if (change.type === 'queueMoved' && event.type !== 'settingsChanged') {
      const [from, to] = [{ state: change.from }, { state: change.to }];
      await record({ ...ofQueue(lock, 'queue.state_changed'), from, to, by: SERVICE });
    }
    if (change.type === 'queueDeleted') await record({ ...ofQueue(lock, 'queue.deleted'), from: {}, to: null, by });
    if (isDirectMerge(change)) await record(await directMerge(lock, before, decided, change));
  }
}

function ofQueue({ row }: QueueLock, action: AuditAction): Pick<AuditedPart, 'action' | 'subject'> {
  return { action, subject: `${nameOf(row)} ${row.branch}` };
}

function nameOf({ host, repositoryOwner, repositoryName }: QueueLock['row']): string {
  return `${host}/${repositoryOwner}/${repositoryName}`;
}

function changedSettings({ row }: QueueLock, { after, changes }: Decided): { from: object; to: object } | null {
  const patches = changes.flatMap((change) => (change.type === 'settingsChanged' ? change.settings : []));
  const settings = patches.reduce<object>((before, patch) => ({ ...before, ...patch }), row.settings);
  return differenceOf(auditedPart(row, row.settings), auditedPart(after, settings));
}

/**
 * The settings and state for the audit log. The mode is the requested mode, to which the queue may still be switching.
 */
function auditedPart(
  { state, mode, requestedMode }: Pick<QueueRow, 'state' | 'mode' | 'requestedMode'>,
  settings: object,
): Readonly<Record<string, unknown>> {
  const values: Readonly<Record<string, unknown>> = { ...settings, state, mode: requestedMode ?? mode };
  return Object.fromEntries(SETTINGS.map((name) => [name, values[name]]));
}

function numbersCancelled({ after, changes }: Decided): readonly number[] {
  const ids = changes.flatMap((change) =>
    change.type === 'entryMoved' && change.to === 'cancelled' ? change.entryId : [],
  );
  return after.entries.flatMap(({ id, number }) => (ids.includes(id) ? number : []));
}

const REQUESTS = {
  pullRequestSubmitted: 'pull_request.submitted',
  cancelRequested: 'pull_request.cancelled',
  restartRequested: 'pull_request.restarted',
  promotionRequested: 'pull_request.promoted',
} as const;

/**
 * The audit record of a person's request about one pull request, if the input names its source. Null if the request
 * changed nothing.
 */
function requestOf(
  { row }: QueueLock,
  before: QueueSnapshot,
  { after, changes }: Decided,
  { event, by }: QueueInput,
): AuditedPart | null {
  if (by === undefined || !isRequest(event) || changes.length === 0) return null;
  const number = event.type === 'pullRequestSubmitted' ? event.facts.number : event.number;
  const [from, to] = [standingIn(before, number), standingIn(after, number)];
  if (event.type === 'pullRequestSubmitted' && JSON.stringify(from) === JSON.stringify(to)) return null;
  return { action: REQUESTS[event.type], subject: `${nameOf(row)}#${number} ${row.branch}`, from, to, by };
}

function isRequest(event: QueueEvent): event is Extract<QueueEvent, { readonly type: keyof typeof REQUESTS }> {
  return event.type in REQUESTS;
}

/** The recorded fields of the entry; null if the pull request is not in the queue. */
function standingIn({ entries }: QueueSnapshot, number: number): object | null {
  const found = entries.find((entry) => entry.number === number);
  if (found === undefined) return null;
  const { state, attempt, priority, noBatch, dryRun } = found;
  return { state, attempt, priority, noBatch, dryRun };
}

function isDirectMerge(change: Change): change is EntryMoved {
  return change.type === 'entryMoved' && change.to === 'merged' && change.because === 'merge_graph_direct_merge';
}

/** Records a direct merge. The actor is the submitter, because nobody else takes part in a direct merge. */
async function directMerge(
  { tx, row }: QueueLock,
  before: QueueSnapshot,
  { after }: Decided,
  { entryId }: EntryMoved,
): Promise<AuditedPart> {
  const [submitted] = await tx.rows<{ actor: string }>`/* audit-decision directMerge */
    SELECT "actor" FROM "QueueLog" WHERE "entryId" = ${entryId}::uuid AND "type" = 'entrySubmitted' AND "actor" IS NOT NULL
    ORDER BY "seq" DESC LIMIT 1`;
  const number = before.entries.find(({ id }) => id === entryId)?.number;
  return {
    action: 'pull_request.merged_directly',
    subject: `${nameOf(row)}#${number} ${row.branch}`,
    from: { tip: before.tip?.commit ?? null },
    to: { tip: after.tip?.commit ?? null },
    by: { ...SERVICE, actor: submitted?.actor ?? SERVICE.actor },
  };
}
