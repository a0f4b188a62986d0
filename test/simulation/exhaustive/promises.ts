import type { LandRun } from '../../../src/engine/commands';
import type { Decided } from '../../../src/engine/decision';
import { BESIDE, nameOf, share, treeOfCommit, type ExhaustiveCase, type State } from './state';

/**
 * Finds a pull request that fails for a test which did not fail, or which did not test this pull request at its head.
 */
export function failsInnocent({ red }: State, { changes, after }: Decided): readonly string[] {
  return changes.flatMap((change) => {
    if (change.type !== 'entryMoved' || change.to !== 'failed') return [];
    if (change.because !== 'test_run_required_status_failed') return [];
    const entry = after.entries.find(({ id }) => id === change.entryId)!;
    if (red.some(({ run, own }) => run === change.run && own.includes(nameOf(entry)))) return [];
    return [`#${entry.number} fails, and no test of it did`];
  });
}

/**
 * The objection to a landing; null if there is no objection. In single mode only a tree that passed may land. In
 * parallel mode a change may land if it was tested with every change that shares a target with it.
 */
export function objectionTo(facts: ExhaustiveCase, { passed, tip }: State, land: LandRun, tree: string): string | null {
  const tested = treeOfCommit(land.testedCommit);
  if (!passed.includes(land.testedCommit)) return `merges ${tested}, which did not pass`;
  if (land.testedTree !== null) return tree === tested ? null : `merges ${tree}, which did not pass`;
  const names = tested.split(BESIDE);
  for (const change of land.changes) {
    if (!names.includes(nameOf(change))) return `merges ${nameOf(change)}, tested as ${tested}`;
    const missed = tip.tree
      .split(BESIDE)
      .find((name) => !names.includes(name) && (!name.includes('@') || share(facts, change.number, numberIn(name))));
    if (missed !== undefined) return `merges ${nameOf(change)}, tested without ${missed}`;
  }
  return null;
}

/** The pull request number of a name in a tree. */
function numberIn(name: string): number {
  return Number(name.split('@')[0]);
}
