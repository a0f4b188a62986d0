import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../../platform/database/prisma.service';
import { appendTestEvents, type TestOccurrence } from '../../../../processing/notifications/append-test-events';
import type { Quarantine } from '../../rules/quarantine';
import { evidenceRow } from '../evidence';
import type { ClaimedTest } from './due-tests';
import type { Alarm, EvaluatedTest } from '../../rules/evaluate-test';

/** A test that the transaction has locked, and its evaluation. All tests of a call belong to one repository. */
export interface EvaluatedClaim {
  readonly before: ClaimedTest & { readonly alarms: readonly Alarm[] };
  readonly after: EvaluatedTest;
  readonly quarantine: Quarantine;
}

/** Writes changed alarms, statuses and quarantines. The number of statements does not grow with the number of tests. */
export async function writeEvaluations(tx: Tx, evaluated: readonly EvaluatedClaim[], now: Date): Promise<void> {
  await writeAlarms(tx, evaluated.filter(hasOtherAlarms));
  const changed = evaluated.filter(isChanged);
  if (changed.length === 0) return;
  await writeStatusChanges(tx, changed, now);
  await writeQuarantineChanges(tx, changed, now);
  await appendTestEvents(tx, changed[0]!.before.repositoryId, changed.flatMap(occurrencesOf), now);
  await tx.$executeRaw`/* write-evaluations writeEvaluations */
    UPDATE "TestCase" t SET "status" = c.status, "statusReason" = c.reason, "quarantined" = c.quarantined,
      "statusFromPullRequests" = c.from_pull_requests,
      "statusChangedAt" = CASE WHEN t."status" = c.status THEN t."statusChangedAt" ELSE ${now} END,
      "quarantinedAt" = CASE WHEN c.quarantined THEN coalesce(t."quarantinedAt", ${now}) END
    FROM unnest(${changed.map(({ before }) => before.id)}::uuid[], ${changed.map(({ after }) => after.status)}::text[],
      ${changed.map(({ after }) => after.statusReason)}::text[],
      ${changed.map(({ quarantine }) => quarantine.quarantined)}::boolean[],
      ${changed.map(({ after }) => after.isFromPullRequests)}::boolean[])
      AS c (id, status, reason, quarantined, from_pull_requests)
    WHERE t."id" = c.id`;
}

function hasOtherAlarms({ before, after }: EvaluatedClaim): boolean {
  return !isDeepStrictEqual(before.alarms.toSorted(byMonitor), after.alarms.toSorted(byMonitor));
}

function isChanged({ before, after, quarantine }: EvaluatedClaim): boolean {
  if (before.status !== after.status || before.statusReason !== after.statusReason) return true;
  if (before.isFromPullRequests !== after.isFromPullRequests) return true;
  return before.quarantined !== quarantine.quarantined;
}

async function writeAlarms(tx: Tx, evaluated: readonly EvaluatedClaim[]): Promise<void> {
  if (evaluated.length === 0) return;
  await tx.testAlarm.deleteMany({ where: { testCaseId: { in: evaluated.map(({ before }) => before.id) } } });
  const data = evaluated.flatMap(({ before, after }) =>
    after.alarms.map((alarm) => ({ testCaseId: before.id, ...alarm, evidence: evidenceRow(alarm.evidence) })),
  );
  await tx.testAlarm.createMany({ data });
}

async function writeStatusChanges(tx: Tx, changed: readonly EvaluatedClaim[], at: Date): Promise<void> {
  const data = changed
    .filter(({ before, after }) => before.status !== after.status)
    .map(({ before, after }) => ({
      testCaseId: before.id,
      at,
      from: before.status,
      to: after.status,
      reason: after.statusReason,
      evidence: evidenceRow(after.alarms.find(({ reason }) => reason === after.statusReason)?.evidence ?? []),
    }));
  if (data.length > 0) await tx.testStatusChange.createMany({ data });
}

async function writeQuarantineChanges(tx: Tx, changed: readonly EvaluatedClaim[], at: Date): Promise<void> {
  const data = changed
    .filter(({ before, quarantine }) => before.quarantined !== quarantine.quarantined)
    .map(({ before, quarantine }) => ({
      testCaseId: before.id,
      at,
      setting: before.quarantineSetting,
      ...quarantine,
    }));
  if (data.length > 0) await tx.testQuarantineChange.createMany({ data });
}

function occurrencesOf({ before, after, quarantine }: EvaluatedClaim): readonly TestOccurrence[] {
  const { id: testCaseId, status: from } = before;
  const found: TestOccurrence[] = [];
  if (from !== after.status)
    found.push({ type: 'test_status_changed', testCaseId, from, to: after.status, reason: after.statusReason });
  if (before.quarantined !== quarantine.quarantined)
    found.push({ type: 'quarantine_changed', testCaseId, actor: null, ...quarantine });
  return found;
}

function byMonitor(a: Alarm, b: Alarm): number {
  return a.monitor < b.monitor ? -1 : 1;
}
