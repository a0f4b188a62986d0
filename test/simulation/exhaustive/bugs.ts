import type { Bug } from '../days-find/bugs';
import { type Disturbance } from './state';

interface SeededBug {
  readonly bug: Bug;
  /** The case that finds it. */
  readonly kind: string;
  readonly entries: number;
  readonly disturbances: readonly Disturbance[];
}

export const SEEDED_BUGS: readonly SeededBug[] = [
  {
    bug: {
      name: 'sequential scheduling merges what CI gave up',
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
