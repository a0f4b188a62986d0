import { failureChance, flakeChance } from '../flow-facts/chances';
import type { QueueSnapshot } from '../model';
import { type Group, includesHead, isBuiltOn, lineOf, queuedHeadsOf } from './line';

/**
 * The least chance that a base holds for which `lineDepth: by_chance` spends a test. Measured: see ADR 21.
 */
export const WORTH_A_TEST = 0.3;

/**
 * How likely everything holds that a run on these groups would be built on, by how often a pull request fails here and by what
 * other runs have shown: what a run holds that passed is good, and of what a red run holds something is bad.
 */
export function chanceOfBase(queue: QueueSnapshot, base: readonly Group[]): number {
  const undecided = base.filter((group) => !isGood(queue, group));
  const shown = redTrees(queue).map((tree) => shareLeft(queue, undecided, tree));
  return chanceOfAll(queue, undecided) * Math.min(1, ...shown);
}

export function isWorthATest(queue: QueueSnapshot, base: readonly Group[]): boolean {
  return queue.settings.lineDepth !== 'by_chance' || chanceOfBase(queue, base) >= WORTH_A_TEST;
}

/** A red run says that one of those it would be built on is bad, or one that is red. */
export function isSuspected(queue: QueueSnapshot, base: readonly Group[]): boolean {
  return chanceOfBase(queue, base) < chanceOfAll(queue, base);
}

/** It passed, or something did that holds it. */
function isGood(queue: QueueSnapshot, group: Group): boolean {
  if (isPassed(group)) return true;
  const heads = queuedHeadsOf(group);
  return lineOf(queue).some((other) => other.run !== null && isPassed(other) && isBuiltOn(other.run, heads));
}

function isPassed({ run }: Group): boolean {
  return run?.phase === 'passed' || run?.phase === 'landing';
}

const trees = new WeakMap<QueueSnapshot, readonly (readonly Group[])[]>();

/** Of each red run: what it holds, and nobody knows to be good. One whose base cannot come about any more was rebuilt before. */
function redTrees(queue: QueueSnapshot): readonly (readonly Group[])[] {
  const known = trees.get(queue);
  if (known) return known;
  const line = lineOf(queue);
  const found = line.flatMap((group) => {
    const { run } = group;
    // A failure with a depth is believed to be a flake until those behind it have shown more.
    if (run?.phase !== 'failed' || run.failure === null || run.failure.depth > 0) return [];
    const heads = [...run.builtOn, ...run.own];
    const within = line.filter((other) => queuedHeadsOf(other).every((head) => includesHead(heads, head)));
    return [within.filter((other) => !isGood(queue, other))];
  });
  trees.set(queue, found);
  return found;
}

/** What is left of the chance that these hold, now that a tree with some of them is red: between 0 and 1. */
function shareLeft(queue: QueueSnapshot, undecided: readonly Group[], tree: readonly Group[]): number {
  const inside = chanceOfAll(
    queue,
    undecided.filter((group) => tree.includes(group)),
  );
  const green = chanceOfAll(queue, tree) * (1 - flakeChance(queue));
  return (inside - green) / (inside * (1 - green));
}

/** By nothing but how often a pull request fails here. */
function chanceOfAll(queue: QueueSnapshot, groups: readonly Group[]): number {
  const size = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return (1 - failureChance(queue)) ** size;
}
