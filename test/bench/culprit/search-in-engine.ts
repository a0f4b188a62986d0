import type { OptimizationMode } from '../../../src/engine/vocabulary';
import { besideReference, mean, printTable } from '../table';
import { type Fault, faultsOf } from './fault';
import { searchPrefixes, searchWholeFirst } from './prefix-search';
import { playRedBatch } from './red-batch';

const SIZES = [2, 4, 8, 16, 32];
const SLOTS = [1, 2, 3, 8];
const KINDS = ['1', '2', '3', 'pair'];
const MODES: readonly OptimizationMode[] = ['bisection_skip_redundant_tests', 'off'];
/** The most faults that are played of one kind; they are evenly spread over all faults of the kind. */
const FAULTS_AT_MOST = 60;

/** Plays every position of one culprit through `decide`. The engine must need as many tests as the policy. */
export function reportSearchInEngine(): readonly string[] {
  return MODES.flatMap((mode) => {
    const wrong: string[] = [];
    const rows = SIZES.map((size) => [
      String(size),
      ...SLOTS.map((slots) => {
        const { ours, policy } = compare(size, slots, mode);
        if (ours !== policy) wrong.push(`${mode}, ${size} entries, ${slots} slots: ${ours}, the policy ${policy}`);
        return besideReference(ours, policy);
      }),
    ]);
    const head = ['n', ...SLOTS.map((slots) => `${slots} slots`)];
    printTable(
      `One culprit through decide, ${mode}: mean runs / worst rounds (the policy where it differs)`,
      head,
      rows,
    );
    return wrong;
  });
}

function compare(size: number, slots: number, mode: OptimizationMode): { ours: string; policy: string } {
  const search = mode === 'off' ? searchWholeFirst : searchPrefixes;
  const positions = Array.from({ length: size }, (_, position) => position);
  const named = positions.map((culprit) => {
    const course = playRedBatch({ size, slots, mode, fault: { bad: [culprit], pair: null } });
    if (course.named.culprit !== culprit || course.failed.join() !== String(culprit))
      throw new Error(`of ${size} entries ${course.failed.join()} failed for ${culprit}`);
    return course.named;
  });
  return {
    ours: show(named),
    policy: show(positions.map((culprit) => search(size, slots, (length) => length > culprit))),
  };
}

function show(costs: readonly { readonly runs: number; readonly rounds: number }[]): string {
  const worst = Math.max(...costs.map((cost) => cost.rounds));
  return `${mean(costs.map((cost) => cost.runs)).toFixed(1)} / ${worst}`;
}

/**
 * The engine's real cost until every entry is decided. The engine tests each culprit once more alone, and each passing
 * prefix once more.
 */
export function reportStoryInEngine(): void {
  const mode = 'bisection_skip_redundant_tests';
  const rows = SIZES.filter((size) => size >= 4).flatMap((size) =>
    KINDS.map((kind) => {
      const faults = spread(faultsOf(size, kind));
      return [`${size} ${kind}`, ...SLOTS.map((slots) => storyOf(size, slots, mode, faults))];
    }),
  );
  const head = ['n, culprits', ...SLOTS.map((slots) => `${slots} slots`)];
  printTable('Until every entry is decided, through decide: mean runs / mean CI durations', head, rows);
}

function storyOf(size: number, slots: number, mode: OptimizationMode, faults: readonly Fault[]): string {
  const courses = faults.map((fault) => {
    const course = playRedBatch({ size, slots, mode, fault });
    const guilty = fault.pair === null ? fault.bad : [Math.max(...fault.pair)];
    if (course.failed.toSorted((a, b) => a - b).join() !== guilty.join())
      throw new Error(`of ${size} entries ${course.failed.join()} failed for ${guilty.join()}`);
    return course.decided;
  });
  const runs = mean(courses.map((course) => course.runs));
  return `${runs.toFixed(1)} / ${mean(courses.map((course) => course.rounds)).toFixed(1)}`;
}

function spread<T>(all: readonly T[]): readonly T[] {
  if (all.length <= FAULTS_AT_MOST) return all;
  return Array.from({ length: FAULTS_AT_MOST }, (_, i) => all[Math.floor((i * all.length) / FAULTS_AT_MOST)]!);
}
