import type { Entry, QueueSnapshot } from '../../model';
import type { PullRequestViewFacts } from '../../pull-request-view-facts';
import { lineOf, runHolding } from '../../policy/line';
import { readinessOf } from '../../policy/readiness';
import { PRIORITIES } from '../../vocabulary';
import { agreeing, counted, pullRequests } from '../words';
import { company } from './failed-statuses';
import { whyAgain } from './reasons';
import { code, codes, type Story } from '../markdown';

export function notReady({ queue, entry }: PullRequestViewFacts): Story {
  const missing = missingFor(queue, entry);
  if (missing.length === 0) {
    const waits = `${code(queue.host)} is asked whether it can be merged into ${code(queue.branch)}.`;
    return { title: 'Queued', sentences: [waits, ...wishes(entry)], line: `Queued: waiting for ${queue.host}` };
  }
  const limit = `It leaves the queue unless that changes within ${counted(queue.settings.notReadyTimeoutHours, 'hour')}.`;
  return {
    title: 'Not ready to be merged',
    sentences: [`The queue takes it up as soon as nothing is missing any more: ${missing.join('; ')}.`, limit],
    line: 'Not ready to be merged yet',
  };
}

function missingFor(queue: QueueSnapshot, entry: Entry): readonly string[] {
  const readiness = readinessOf(queue, entry);
  const { base, draft, head } = entry.pullRequest;
  const missing: string[] = [];
  if (!readiness.doesBaseBranchMatch)
    missing.push(`its base is ${code(base ?? '')}, this queue merges into ${code(queue.branch)}`);
  if (draft) missing.push('it is a draft');
  else if (readiness.hostMergeability === 'not_mergeable')
    missing.push(`${code(queue.host)} says that it cannot be merged into ${code(queue.branch)}`);
  if (readiness.requiresImpactedTargets && !readiness.hasImpactedTargets)
    missing.push(`no impacted targets were given for ${head}`);
  return missing;
}

export function pending(facts: PullRequestViewFacts): Story {
  const { queue, entry } = facts;
  const again = whyAgain(entry.stateReason, entry.stateActor, queue.branch);
  const because = again === null ? [] : [again];
  if (entry.search !== null)
    return { title: 'Finding out what broke its batch', sentences: because, line: 'Finding out what broke its batch' };
  const conflict = runHolding(queue, entry)?.conflict ?? null;
  if (conflict !== null) {
    const waits = `It conflicts with #${conflict.with} ahead of it in ${codes(conflict.files)}: it is tested when that has left the queue, and fails if that has merged.`;
    const line = `Conflicts with #${conflict.with} ahead of it`;
    return { title: 'Waiting in the queue', sentences: [...because, waits, ...wishes(entry)], line };
  }
  const sentences = [...because, ...whereItStands(facts), ...wishes(entry)];
  return { title: 'Waiting in the queue', sentences, line: 'Waiting in the queue' };
}

/** Others move on, and this text does not follow them: it says of when it speaks. */
function whereItStands({ queue, entry, ahead }: PullRequestViewFacts): readonly string[] {
  const isRunning = queue.state === 'running';
  const run = runHolding(queue, entry);
  if (isRunning && run !== null)
    return [`The commit to be tested${company(asNumbers(run), entry.number)} is being made.`];
  const state = isRunning ? [] : [`the queue was ${queue.state.replaceAll('_', ' ')}, so that no test started`];
  const place = ahead === 0 && !isRunning ? [] : [placeOf(queue, entry, ahead)];
  const { batch, batchingMinSize, batchingMaxWaitTimeMinutes } = queue.settings;
  const isForBatch = batch && !entry.noBatch && entry.place === null;
  const waits = `It is tested in a batch of ${batchingMinSize}, or of fewer after ${counted(batchingMaxWaitTimeMinutes, 'minute')}.`;
  return [`When this was written, ${[...state, ...place].join('; ')}.`, ...(isForBatch ? [waits] : [])];
}

function placeOf(queue: QueueSnapshot, entry: Entry, ahead: number): string {
  if (ahead === 0) return 'it was next';
  const line = lineOf(queue).flatMap(({ entries }) => entries.map(({ number }) => number));
  const at = line.indexOf(entry.number);
  const known = at < 0 ? line : line.slice(0, at);
  const were = agreeing({ length: ahead } as readonly unknown[], 'was', 'were');
  const who = known.length === ahead ? pullRequests(known) : counted(ahead, 'pull request');
  return `${who} ${were} ahead of it`;
}

function wishes({ priority, usedDefaultPriority, noBatch }: Entry): readonly string[] {
  const name = Object.entries(PRIORITIES).find(([, value]) => value === priority)?.[0] ?? String(priority);
  const parts = [...(usedDefaultPriority ? [] : [`priority ${name}`]), ...(noBatch ? ['never in a batch'] : [])];
  return parts.length === 0 ? [] : [`Asked for: ${parts.join(', ')}.`];
}

type Numbered = readonly { readonly number: number }[];

export function asNumbers({ own, builtOn }: { readonly own: Numbered; readonly builtOn: Numbered }) {
  return { own: own.map(({ number }) => number), builtOn: builtOn.map(({ number }) => number) };
}
