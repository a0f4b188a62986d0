import { isFlow } from '../../flow-facts/scheduling';
import type { Entry, QueueSnapshot } from '../../model';
import type { PullRequestViewFacts } from '../../pull-request-view-facts';
import { runsAlone } from '../../policy/batches';
import { lineOf, runHolding } from '../../policy/line';
import { configWaitedFor } from '../../policy/order';
import { PRIORITIES } from '../../vocabulary';
import { code, plain, type Story } from '../../wording/markdown';
import { conflictsWithAhead } from '../status/line';
import { because } from '../status/queue';
import { isMissing, missingFor } from '../status/readiness';
import { placeOf, whatConfigNeeds } from '../status/turn';
import { company, counted } from '../../wording/words';
import { besideLine, whyAgain } from './reasons';

export function notReady({ queue, entry }: PullRequestViewFacts): Story {
  const missing = missingFor(queue, entry, code);
  if (missing.length === 0) {
    const waits = `The queue waits for ${code(queue.host)} to report whether it can be merged into ${code(queue.branch)}.`;
    return { title: 'Queued', sentences: [waits, ...submitOptions(entry)], line: `Queued: waiting for ${queue.host}` };
  }
  const limit = `It is cancelled unless it becomes ready within ${counted(queue.settings.notReadyTimeoutHours, 'hour')}.`;
  const line = isMissing(missingFor(queue, entry, plain));
  return { title: 'Not ready', sentences: [`Missing: ${missing.join('; ')}.`, limit], line };
}

/** Whether the entry has waited for nothing but its bisection since its last change of state. */
function isSearchedFor({ stateReason }: Entry): boolean {
  return stateReason === 'bisection_required';
}

export function pending(facts: PullRequestViewFacts): Story {
  const { queue, entry } = facts;
  const again = whyAgain(entry, queue.branch);
  const beside = besideLine(queue, entry);
  if (beside !== null) {
    const why = isSearchedFor(entry) ? beside.why : (again ?? beside.why);
    return { title: beside.title, sentences: [why], line: beside.title };
  }
  const because = again === null ? [] : [again];
  const config = configWaitedFor(queue, entry);
  if (config !== null) {
    const waits = `${whatConfigNeeds(code(queue.branch), code(config.problem))}.`;
    return {
      title: 'Waiting in the queue',
      sentences: [...because, waits],
      line: 'Waiting for the configuration file',
    };
  }
  const conflict = runHolding(queue, entry)?.conflict ?? null;
  if (conflict !== null) {
    const waits = `${conflictsWithAhead(conflict, code)}.`;
    const line = `Conflicts with #${conflict.with} ahead of it`;
    return { title: 'Waiting in the queue', sentences: [...because, waits, ...submitOptions(entry)], line };
  }
  const sentences = [...because, ...whereItStands(facts), ...submitOptions(entry)];
  return { title: 'Waiting in the queue', sentences, line: 'Waiting in the queue' };
}

/** This text is not rewritten when other pull requests move on, so it says that it was true when it was written. */
function whereItStands({ queue, entry, ahead }: PullRequestViewFacts): readonly string[] {
  const isRunning = queue.state === 'running';
  const run = runHolding(queue, entry);
  if (isRunning && run !== null) return [`Its test commit${company(asNumbers(run), entry.number)} is being built.`];
  const state = isRunning
    ? []
    : [`the queue is ${queue.state.replaceAll('_', ' ')}${because(queue, code)} and starts no test`];
  // In a flow queue no entry is behind another entry, so no place is named.
  if (isFlow(queue)) return state.length === 0 ? [] : [`When this was written: ${state.join('; ')}.`];
  const place = ahead === 0 && !isRunning ? [] : [placeOf(ahead, knownAhead(queue, entry))];
  const { batch, batchingMinSize, batchingMaxWaitTimeMinutes } = queue.settings;
  const isForBatch = batch && !runsAlone(queue, entry) && entry.place === null;
  const waits = `It is tested in a batch of ${batchingMinSize}, or of fewer after ${counted(batchingMaxWaitTimeMinutes, 'minute')}.`;
  return [`When this was written: ${[...state, ...place].join('; ')}.`, ...(isForBatch ? [waits] : [])];
}

function knownAhead(queue: QueueSnapshot, entry: Entry): readonly number[] {
  const line = lineOf(queue).flatMap(({ entries }) => entries.map(({ number }) => number));
  const at = line.indexOf(entry.number);
  return at < 0 ? line : line.slice(0, at);
}

function submitOptions({ priority, usedDefaultPriority, noBatch }: Entry): readonly string[] {
  const name = Object.entries(PRIORITIES).find(([, value]) => value === priority)?.[0] ?? String(priority);
  const parts = [...(usedDefaultPriority ? [] : [`priority ${name}`]), ...(noBatch ? ['never in a batch'] : [])];
  return parts.length === 0 ? [] : [`Requested: ${parts.join(', ')}.`];
}

type Numbered = readonly { readonly number: number }[];

export function asNumbers({ own, builtOn }: { readonly own: Numbered; readonly builtOn: Numbered }) {
  return { own: own.map(({ number }) => number), builtOn: builtOn.map(({ number }) => number) };
}
