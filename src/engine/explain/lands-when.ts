import { isFlow } from '../flow-facts/scheduling';
import * as say from '../messages/status/line';
import { landsBehind } from '../messages/status/needs';
import { isOdd, enumerated } from '../messages/status/statuses';
import type { Entry, QueueSnapshot, TestRun } from '../model';
import { assumedAhead } from '../policy/base';
import { frozenUntil } from '../policy/freeze';
import { lineOf } from '../policy/line';
import { proofOf } from '../policy/proof';
import { mayLand } from '../policy/slots';
import { statusesOf } from '../policy/statuses';
import type { Instant } from '../vocabulary';

/**
 * The conditions under which a run under test will land, and what happens otherwise, for the authors of its pull
 * requests. Null if there are other obstacles, which `explain` names.
 */
export function landsWhen(queue: QueueSnapshot, run: TestRun, now: Instant): string | null {
  const group = lineOf(queue).find((other) => other.run === run);
  if (group === undefined || run.kind !== 'line' || run.phase !== 'testing') return null;
  const verdict = statusesOf(queue, run);
  const waitsFor = [...verdict.missing, ...verdict.running];
  if (waitsFor.length === 0 || verdict.failed.length > 0 || isOdd(queue, run, verdict, now)) return null;
  if (isFlow(queue) || proofOf(queue, group) !== null || !landsAsUsual(queue, group.entries, now)) return null;
  return say.landsOnceItPasses(run, {
    waitsFor: enumerated(waitsFor),
    ahead: assumedAhead(queue, group).flatMap(({ entries }) => entries.map(({ number }) => number)),
    together: queue.settings.canOptimisticallyMerge,
  });
}

function landsAsUsual(queue: QueueSnapshot, entries: readonly Entry[], now: Instant): boolean {
  const { hostUnreachableSince, statusesUnread, tip } = queue;
  const isUsual = hostUnreachableSince === null && !statusesUnread && tip !== null && mayLand(queue);
  if (!isUsual || frozenUntil(queue, entries, now) !== null) return false;
  return entries.every((entry) => {
    const isPlain = !entry.dryRun && entry.timesLost === 0 && entry.suspectRun === null;
    return isPlain && landsBehind(queue, entry) === null;
  });
}
