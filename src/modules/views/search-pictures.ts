import { flowRuns } from '../../engine/flow/runs';
import { suspectSets } from '../../engine/flow/standing';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { boundsOf } from '../../engine/policy/culprit-search';
import { runsOf } from '../../engine/policy/search-end';
import type { Instant } from '../../engine/vocabulary';
import { numbersOfHeads } from './answers';
import type { SearchPicture } from './search-picture.dto';
import { waitingForOf } from './run-pictures';
import { isFlow } from '../../engine/flow-facts/scheduling';

/**
 * The bisections of a queue, oldest first; with flow scheduling, its suspect sets in the order in which they are
 * tested.
 */
export function drawSearches(queue: QueueSnapshot, now: Instant): SearchPicture[] {
  return isFlow(queue) ? drawSuspectSets(queue, now) : drawCulpritSearches(queue, now);
}

function drawCulpritSearches(queue: QueueSnapshot, now: Instant): SearchPicture[] {
  return queue.searches.map((search) => {
    const { number, stage, members, results } = search;
    const { passed, failed } = boundsOf({ size: members.length, results });
    const suspects = members.slice(passed, failed);
    const first = queue.entries.find(({ id }) => id === suspects[0]?.entryId);
    return {
      number,
      stage,
      members: numbersOfHeads(members),
      suspects: numbersOfHeads(suspects),
      results: results.map(({ length, run, verdict }) => ({ length, runNumber: run, verdict })),
      runs: numbersOfHeads(runsOf(queue, search)),
      waitingFor: sentenceOf(queue, first, now),
    };
  });
}

function drawSuspectSets(queue: QueueSnapshot, now: Instant): SearchPicture[] {
  return suspectSets(queue).map(({ number, members }) => ({
    number,
    stage: 'suspects',
    members: numbersOfHeads(members),
    suspects: numbersOfHeads(members),
    results: [],
    runs: numbersOfHeads(flowRuns(queue).filter(({ flow }) => flow.set === number)),
    waitingFor: sentenceOf(queue, members[0], now),
  }));
}

function sentenceOf(queue: QueueSnapshot, first: Entry | undefined, now: Instant): string | null {
  return first === undefined ? null : waitingForOf(queue, first, 0, now);
}
