import type { Entry, FlakeMemory, LineRun } from './model';

/** A new queue assumes one flake in a hundred results. A queue halves its counts after two hundred results. */
const ASSUMED = { flakes: 1, others: 99 };
const REMEMBERED = 200;
const AS_SURE_AS = 0.99;
const RUNS_KEPT = 16;
/** This many failures between two passes count as an outage. */
const OUTAGE = 4;

/** The number of failures in isolation that rule out chance. */
export function redsDemanded({ flakeCounts: { yes, no } }: FlakeMemory): number {
  const rate = (ASSUMED.flakes + yes) / (ASSUMED.flakes + ASSUMED.others + yes + no);
  let demanded = 1;
  while (1 / (1 + rate ** demanded) < AS_SURE_AS - 1e-12) demanded++;
  return demanded;
}

export function countFlake(queue: FlakeMemory, outcome: 'yes' | 'no'): void {
  const { flakeCounts: counts } = queue;
  counts[outcome]++;
  if (counts.yes + counts.no < REMEMBERED) return;
  counts.yes /= 2;
  counts.no /= 2;
}

/** Remembers a blamed run. If all entries of the run land later, the run's failure was a flake. */
export function rememberBlamed(queue: FlakeMemory, { entries, redMoment: { streak } }: LineRun): void {
  queue.blamed.push({ open: new Set(entries), streak });
  queue.blamed = queue.blamed.slice(-RUNS_KEPT);
}

export function noteLeft(queue: FlakeMemory, entry: Entry, hasLanded: boolean): void {
  if (!hasLanded) {
    queue.blamed = queue.blamed.filter(({ open }) => !open.has(entry));
    return;
  }
  for (const { open } of queue.blamed) open.delete(entry);
  const over = queue.blamed.filter(({ open }) => open.size === 0);
  queue.blamed = queue.blamed.filter(({ open }) => open.size > 0);
  for (const { streak } of over) if ((queue.health.redsIn.get(streak) ?? 0) < OUTAGE) countFlake(queue, 'yes');
}
