import * as say from '../messages/status/queue';
import { numbersIn } from '../wording/words';
import type { QueueSnapshot, TestRun } from '../model';
import { isProven } from '../policy/proof';
import { mayStartTests } from '../policy/slots';
import { holdsSlot } from '../states';
import type { Instant } from '../vocabulary';

/** The obstacle that keeps every test of the queue from starting; null if there is none. */
export function whatKeepsTests(queue: QueueSnapshot, now: Instant): string | null {
  const { hostUnreachableSince } = queue;
  const unreachable = hostUnreachableSince === null ? null : say.hostIsUnreachable(queue, hostUnreachableSince, now);
  if (mayStartTests(queue)) return unreachable;
  const starts = say.nothingStarts(queue, inFlight(queue));
  return unreachable === null ? starts : `${starts}. ${unreachable}`;
}

/** The entries under test and in a landing for which `finish-mode-switch` waits. */
function inFlight(queue: QueueSnapshot): say.InFlight {
  const tested = queue.runs.filter((run) => run.phase !== 'landing' && holdsSlot(run) && !isProven(queue, run));
  const landing = queue.runs.filter((run) => run.phase === 'landing');
  return { tested: allIn(tested), landing: allIn(landing) };
}

/** The prefixes of a bisection contain the same entries more than once. */
function allIn(runs: readonly TestRun[]): readonly number[] {
  return [...new Set(runs.flatMap(numbersIn))];
}

/** The run of the line whose candidate is being built: only one candidate is built at a time. */
export function candidateInTheMaking(queue: QueueSnapshot): TestRun | null {
  return queue.runs.find((run) => run.kind === 'line' && run.phase === 'building') ?? null;
}
