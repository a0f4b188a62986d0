import { changeSettings, deleteQueue } from './accept/settings';
import { cancel, cancelAll, promote, restart } from './accept/requests';
import { gone, seen } from './accept/observation';
import { concludeLanding, refuseLanding } from './accept/landing-outcome';
import { concludePart } from './accept/partial-landing';
import { noteCi, noteMovedBranch, pushRun, reuseResult } from './accept/run-outcome';
import { refuseRun } from './accept/run-refused';
import { submit } from './accept/submission';
import { seeTargetAnew } from './accept/target';
import type { Refused } from './decision';
import type { QueueEvent } from './events';
import type { QueueSnapshot } from './model';
import { NOTHING, type StepResult } from './policy/step-result';
import { assertNever, type Instant } from './vocabulary';

/** Applies the changes that the event itself makes, or refuses the event. The steps derive all consequences. */
export function acceptEvent(queue: QueueSnapshot, event: QueueEvent, now: Instant): StepResult | Refused {
  switch (event.type) {
    case 'pullRequestSubmitted':
      return submit(queue, event, now);
    case 'pullRequestSeen':
      return seen(queue, event, now);
    case 'pullRequestGone':
      return gone(queue, event.number, event.seenAt);
    case 'cancelRequested':
      return cancel(queue, event, now);
    case 'restartRequested':
      return restart(queue, event, now);
    case 'promotionRequested':
      return promote(queue, event);
    case 'allCancelRequested':
      return cancelAll(queue, event, now);
    case 'settingsChanged':
      return changeSettings(queue, event);
    case 'deletionRequested':
      return deleteQueue(queue, event.activeEntries);
    case 'targetSeen':
      return seeTargetAnew(queue, event);
    case 'runPushed':
      return pushRun(queue, event);
    case 'runResultKnown':
      return reuseResult(queue, event, now);
    case 'runNotStarted':
      return refuseRun(queue, event, now);
    case 'landed':
      return concludeLanding(queue, event);
    case 'landedPartly':
      return concludePart(queue, event, now);
    case 'landingRefused':
      return refuseLanding(queue, event, now);
    case 'testingBranchMoved':
      return noteMovedBranch(queue, event);
    case 'ciSeen':
      return noteCi(queue, event);
    case 'targetsGiven':
    case 'targetsComputed':
    case 'statusReported':
    case 'resultsUploaded':
    case 'clockTicked':
      return NOTHING;
    default:
      return assertNever(event);
  }
}
