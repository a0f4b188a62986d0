import { failureChance } from '../flow/chances';
import type { QueueSnapshot } from '../model';

/**
 * The least chance that a base holds for which `lineDepth: by_chance` spends a test. Measured: see ADR 122.
 */
export const WORTH_A_TEST = 0.4;

/** How likely everything holds that a run would be built on, of which so many pull requests are undecided. */
export function chanceOfBase(queue: QueueSnapshot, undecided: number): number {
  return (1 - failureChance(queue)) ** undecided;
}

export function isWorthATest(queue: QueueSnapshot, undecided: number): boolean {
  return queue.settings.lineDepth !== 'by_chance' || chanceOfBase(queue, undecided) >= WORTH_A_TEST;
}
