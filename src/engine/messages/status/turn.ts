import type { Entry, QueueSnapshot } from '../../model';
import type { Batch } from '../../policy/batches';
import { type Instant, URGENT } from '../../vocabulary';
import { counted, duration, forLength, pullRequests } from '../words';

/** How many runs hold slots, and how many may. */
export interface Slots {
  readonly inUse: number;
  readonly all: number;
  /** What the queue asks for; more than `all` when the service allows no more. */
  readonly wished: number;
}

export function waitsForSlot(entry: Entry, ahead: number, slots: Slots, now: Instant): string {
  return `${placeOf(ahead)}: ${aFreeSlot(slots)}${remarks(entry, now)}`;
}

/** A lowered concurrency stops nothing: more may be in use than there are. */
export function aFreeSlot({ inUse, all, wished }: Slots): string {
  const now = inUse > all ? `${inUse} under way, ${all} allowed now` : `${counted(all, 'test run')} at once`;
  const limited = wished > all ? ', the limit of this service' : '';
  return `waits for a free slot (${now}${limited})`;
}

export function waitsForRoom(entry: Entry, ahead: number, runsInFlight: number, now: Instant): string {
  const full = `${counted(runsInFlight, 'test run')} in flight, as many as this service allows`;
  return `${placeOf(ahead)}: waits until one has merged or left (${full})${remarks(entry, now)}`;
}

export function waitsForCandidate(entry: Entry, ahead: number, built: readonly number[], now: Instant): string {
  return `${placeOf(ahead)}: the commit of ${pullRequests(built)} is built first, one at a time${remarks(entry, now)}`;
}

export function waitsForThoseAhead(entry: Entry, ahead: number, now: Instant): string {
  return `${placeOf(ahead)}: waits for its turn${remarks(entry, now)}`;
}

export function waitsForItsBatch(queue: QueueSnapshot, entry: Entry, batch: Batch, size: number, now: Instant): string {
  const others = batch.entries.filter((other) => other !== entry).map((other) => other.number);
  const company = others.length === 0 ? '' : `, with ${pullRequests(others)}`;
  const limited = queue.limits.batchSize < queue.settings.batchingMinSize ? ', the limit of this service' : '';
  const fills = `${batch.entries.length} of ${size}${company}${limited}`;
  const startsAlone = queue.mode === 'single' || batch.entries[0] === entry;
  const hint = startsAlone ? ', or at once when submitted again with noBatch' : '';
  return `Waits for its batch to fill (${fills}); it starts in ${duration(batch.startsAt - now)} at the latest${hint}`;
}

/** `batch`: that of the one ahead, where it is still filling; null: that one is held up itself. */
export function isHeldUp(entry: Entry, by: Entry, batch: Batch | null, now: Instant): string {
  const since = pendingFor(entry, now);
  const held = `Held up by #${by.number}, which goes first because it shares a target with it`;
  if (batch === null) return `${held}, and is itself held up by a batch that is not full yet${since}`;
  const numbers = batch.entries.map((entry) => entry.number);
  return `${held} and waits for its batch (${pullRequests(numbers)}) to fill; that starts in ${duration(batch.startsAt - now)} at the latest${since}`;
}

function placeOf(ahead: number): string {
  return ahead === 0 ? 'Next to be tested' : `${counted(ahead, 'pull request')} ahead of it`;
}

function remarks(entry: Entry, now: Instant): string {
  const cameBack = '; it came back from a culprit search and goes ahead of all but urgent ones';
  const back = entry.returnedGroup > 0 ? cameBack : '';
  return `${back}${pendingFor(entry, now)}`;
}

export function pendingFor({ pendingSince }: Entry, now: Instant): string {
  const since = forLength(now - (pendingSince ?? now));
  return since === '' ? '' : `; pending${since}`;
}

export function goesFirst(entry: Entry): string {
  return entry.priority === URGENT ? '; it is urgent and goes first then' : '';
}
