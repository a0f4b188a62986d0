import type { Entry, QueueSnapshot } from '../../model';
import type { Batch } from '../../policy/batches';
import { type Instant, URGENT } from '../../vocabulary';
import { capitalised, counted, duration, forLength, pullRequests, short } from '../../wording/words';

/** How many runs hold slots (`inUse`), and how many may hold slots (`all`). */
export interface SlotUse {
  readonly inUse: number;
  readonly all: number;
  /** The number of slots in the queue's settings. It is higher than `all` if the service allows fewer. */
  readonly configured: number;
}

/** `waitsFor`: the obstacle, one of the phrases below, such as `aFreeSlot`. */
export function waitsOutside(entry: Entry, ahead: number, waitsFor: string, now: Instant): string {
  const cameBack = '. It returned from bisection, ahead of all but urgent pull requests';
  const back = entry.returnedGroup > 0 ? cameBack : '';
  return `${capitalised(placeOf(ahead))}: ${waitsFor}${back}${pendingFor(entry, now)}`;
}

/** Lowering the concurrency stops no run, so `inUse` may be higher than `all`. */
export function aFreeSlot({ inUse, all, configured }: SlotUse): string {
  const now =
    inUse > all ? `${inUse} test runs in progress, ${all} allowed now` : `${counted(all, 'test run')} at once`;
  const limited = configured > all ? ', the limit of this service' : '';
  return `waits for a free slot (${now}${limited})`;
}

export function lineIsFull(runsInFlight: number): string {
  const full = `${counted(runsInFlight, 'test run')} in flight, as many as this service allows`;
  return `waits until a pull request merges or leaves the queue (${full})`;
}

export function thoseBuiltFirst(numbers: readonly number[]): string {
  return `the commit of ${pullRequests(numbers)} is built first, because commits are built one at a time`;
}

interface Chances {
  readonly holds: number;
  readonly fails: number;
}

/** For a queue with `lineDepth: by_chance`. `red`: a test that contains entries of this base failed. */
export function betterChances({ holds, fails }: Chances, ahead: 'red' | 'open'): string {
  const red = ahead === 'red' ? ', and a test of pull requests ahead has failed' : '';
  const known = `In this queue ${inPercent(fails)} of pull requests fail${red}: all pull requests ahead of it pass with a probability of ${inPercent(holds)}`;
  return `waits until more pull requests ahead have merged or failed (lineDepth by_chance). ${known}`;
}

function inPercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

export function itsTurn(): string {
  return 'waits for its turn';
}

/** For a layer of a stack whose new head the host may have made itself. */
export function waitsForItsHead({ host }: QueueSnapshot, { number, pullRequest }: Entry): string {
  const shows = `${host} shows another head of #${number}, ${short(pullRequest.head)}`;
  return `${shows}. The queue checks whether ${host} made that head itself when it merged the pull request below #${number}`;
}

/** `problem`: the error in the configuration file, as sentences with file and line. */
export function waitsForConfig(queue: QueueSnapshot, entry: Entry, problem: string, now: Instant): string {
  return `${whatConfigNeeds(queue.branch, problem)}${pendingFor(entry, now)}`;
}

/** The error in the configuration file of the target, and how to fix it. */
export function whatConfigNeeds(branch: string, problem: string): string {
  const fix = `No pull request fails because of this: tests start when the file is fixed on ${branch}, by a push or a pull request`;
  return `${problem} ${fix}. A pull request that fixes the file is tested with the file's last readable version. Another way is to set the required statuses of the queue`;
}

export function waitsForItsBatch(queue: QueueSnapshot, entry: Entry, batch: Batch, size: number, now: Instant): string {
  const others = batch.entries.filter((other) => other !== entry).map((other) => other.number);
  const together = others.length === 0 ? '' : `, with ${pullRequests(others)}`;
  const limited = queue.limits.batchSize < queue.settings.batchingMinSize ? ', the limit of this service' : '';
  const fills = `${batch.entries.length} of ${size}${together}${limited}`;
  const startsAlone = queue.mode === 'single' || batch.entries[0] === entry;
  const hint = startsAlone ? '. To start at once, submit it again with noBatch' : '';
  return `Waits for its batch to fill (${fills}); starts in ${duration(batch.startsAt - now)} at the latest${hint}`;
}

/**
 * `by`: the entry ahead that shares a target with this entry. `batch`: the batch for which `by` waits; null if `by`
 * itself is held up.
 */
export function isHeldUp(entry: Entry, by: Entry, batch: Batch | null, now: Instant): string {
  const since = pendingFor(entry, now);
  const first = `#${by.number}`;
  const held = `Held up by ${first}, which shares a target with it and is tested first`;
  if (batch === null) return `${held}. ${first} itself is held up by a batch that is not full yet${since}`;
  const fills = pullRequests(batch.entries.map(({ number }) => number));
  const starts = `starts in ${duration(batch.startsAt - now)} at the latest`;
  return `${held}. ${first} waits for its batch (${fills}) to fill and ${starts}${since}`;
}

/** `ahead`: the number of entries ahead. `known`: those of their pull request numbers that are known. */
export function placeOf(ahead: number, known: readonly number[] = []): string {
  if (ahead === 0) return 'next to be tested';
  return `${known.length === ahead ? pullRequests(known) : counted(ahead, 'pull request')} ahead of it`;
}

export function pendingFor({ pendingSince }: Entry, now: Instant): string {
  const since = forLength(now - (pendingSince ?? now));
  return since === '' ? '' : `. Pending${since}`;
}

export function goesFirst(entry: Entry): string {
  return entry.priority === URGENT ? '. It is urgent, so it will be tested first' : '';
}
