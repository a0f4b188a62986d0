import type { Bug } from '../days-find/bugs';
import { type Disturbance } from './state';

export interface SeededBug {
  readonly bug: Bug;
  /** The kind of case that finds the bug. */
  readonly kind: string;
  readonly entries: number;
  readonly disturbances: readonly Disturbance[];
}

/** Bugs that the command puts into the engine. */
export const SEEDED_BUGS: readonly SeededBug[] = [
  {
    bug: {
      name: 'sequential scheduling merges a pull request whose test CI gave up',
      file: 'src/engine/policy/statuses.ts',
      edits: [
        [
          "if (reports.some((report) => report.state === 'lost')) return 'lost';",
          "if (reports.some((report) => report.state === 'lost')) return 'passed';",
        ],
      ],
    },
    ...{ kind: 'sequential', entries: 2, disturbances: ['inconclusive'] },
  },
  {
    bug: {
      name: 'flow scheduling ignores a push to the target',
      file: 'src/engine/flow/heads.ts',
      edits: [['if (run.base.epoch !== queue.epoch) return false;', '']],
    },
    ...{ kind: 'flow', entries: 2, disturbances: ['target moved'] },
  },
  {
    bug: {
      name: 'parallel mode merges pull requests that were tested without others of their targets',
      file: 'src/engine/policy/proof.ts',
      edits: [["if (queue.mode === 'single') return true;", 'return true;']],
    },
    ...{ kind: 'parallel', entries: 3, disturbances: [] },
  },
];

const KEY = 'test/simulation/exhaustive/key';

/**
 * Rules of the key, each of which is left out in turn. Without one of the rules, different states get the same key, and
 * the comparison must then show that the states after them differ.
 */
export const RULES_LEFT_OUT: readonly SeededBug[] = [
  {
    bug: {
      name: 'the start time of the wait for a batch',
      file: `${KEY}/turns.ts`,
      edits: [['returnedOrder === 0 && sinceIn(view, entry)', '0']],
    },
    ...{ kind: 'sequential, batches', entries: 2, disturbances: [] },
  },
  {
    bug: {
      name: 'the start time of a test',
      file: `${KEY}/runs.ts`,
      edits: [["pushedAt: isTimed(run) && pushedAt !== null ? moment('W', pushedAt) : undefined,", '']],
    },
    ...{ kind: 'sequential', entries: 3, disturbances: [] },
  },
  {
    bug: {
      name: 'how long a failed test counts as tested again',
      file: `${KEY}/entries.ts`,
      edits: [['rebuilt: rebuiltIn(view, entry),', '']],
    },
    ...{ kind: 'parallel', entries: 3, disturbances: ['cancel'] },
  },
  {
    bug: {
      name: 'the runs under test that a test is built on',
      file: `${KEY}/runs.ts`,
      edits: [['assumed: assumedIn(view, assumed, run),', '']],
    },
    ...{ kind: 'flow', entries: 3, disturbances: [] },
  },
  {
    bug: {
      name: 'a future merge is taken for the base of a test',
      file: `${KEY}/tasks.ts`,
      edits: [["landingTree === tip.tree ? 'there' : isToCome(view, landingTree) && 'to come'", "''"]],
    },
    ...{ kind: 'sequential', entries: 3, disturbances: ['cancel', 'push'] },
  },
];
