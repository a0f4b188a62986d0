import type { Scenario, Unsupported } from '../scenario';
import { changes, fails, given, passes, shows, submit, submitWith } from '../story';

const STACKS: Unsupported = {
  unsupported: 'stacks of pull requests and dependencies that people declare are not known',
};
const REPOSITORIES: Unsupported = {
  unsupported: 'a queue has one repository; nothing waits for, or is tested with, another one',
};

/**
 * Rows about declared dependencies, and about repositories that depend on each other. Queues know neither kind of
 * dependency, so only rows that also hold for batches can be played.
 */
export const DEPENDENCIES: readonly Scenario[] = [
  {
    id: 'B01',
    title: 'A stack enters in its order, once its lower layers are approved',
    source: 'zuul test_patch_order',
    outcome: STACKS,
    story: [],
  },
  {
    id: 'B03',
    title: 'The upper layers of a stack leave untested with the lowest one',
    source: 'zuul test_dependent_changes_dequeue',
    outcome: STACKS,
    story: [],
  },
  {
    id: 'B05',
    title: 'A dependency in another repository enters ahead of its pull request',
    source: 'zuul test_crd_gate_url_schema0',
    outcome: REPOSITORIES,
    story: [],
  },
  {
    id: 'B07',
    title: 'A triangle of dependencies enters in its one possible order',
    source: 'zuul test_crd_gate_triangle',
    outcome: REPOSITORIES,
    story: [],
  },
  {
    id: 'B09',
    title: 'A pull request depends on others of two branches',
    source: 'zuul test_crd_branch',
    outcome: REPOSITORIES,
    story: [],
  },
  {
    id: 'B11',
    title: 'A pull request waits for a dependency that no queue knows',
    source: 'zuul test_crd_gate_unknown',
    outcome: REPOSITORIES,
    story: [],
  },
  {
    id: 'B13',
    title: 'Two pull requests that depend on each other are one unit',
    source: 'zuul test_single_project_cycle',
    outcome: STACKS,
    story: [],
  },
  {
    id: 'B15',
    title: 'The failure of a unit does not count when its base turns out to be bad',
    source: 'zuul test_failing_cycle_behind_failing_change',
    outcome: 'pass',
    leftOut: 'the unit is a batch, not a cycle of dependencies',
    settings: { concurrency: 4, batch: true, batchingMinSize: 2 },
    pullRequests: given(1, 2, 3, 4, 5),
    story: [
      submitWith({ noBatch: true }, 1, 2),
      submit(3, 4),
      submitWith({ noBatch: true }, 5),
      shows({ testing: ['T[1]', 'T[1,2]', 'T[1,2,3+4]', 'T[1,2,3,4,5]'] }),
      fails('T[1,2,3+4]'),
      shows({ states: { 3: 'pending_failure', 4: 'pending_failure' }, testing: ['T[1]', 'T[1,2]', 'T[1,2,5]'] }),
      fails('T[1,2]'),
      shows({ states: { 2: 'pending_failure' }, testing: ['T[1]', 'T[1,3+4]', 'T[1,3,4,5]'] }),
      passes('T[1]', 'T[1,3+4]', 'T[1,3,4,5]'),
      shows({
        states: { 1: 'merged', 2: 'failed', 3: 'merged', 4: 'merged', 5: 'merged' },
        target: [1, 3, 4, 5],
        tested: ['T[1]', 'T[1,2]', 'T[1,2,3+4]', 'T[1,2,3,4,5]', 'T[1,2,5]', 'T[1,3+4]', 'T[1,3,4,5]'],
      }),
    ],
  },
  {
    id: 'B17',
    title: 'A unit of two is tested and merged even if only one test may run at a time',
    source: 'zuul test_cycle_larger_pipeline_window',
    outcome: 'pass',
    leftOut: 'the unit is a batch, not a cycle of dependencies',
    settings: { batch: true, batchingMinSize: 2 },
    pullRequests: given(1, 2),
    story: [
      submit(1, 2),
      shows({ testing: ['T[1+2]'] }),
      passes('T[1+2]'),
      shows({ states: { 1: 'merged', 2: 'merged' }, target: [1, 2], tested: ['T[1+2]'], moves: 1 }),
    ],
  },
  {
    id: 'B19',
    title: 'A unit behind a failed pull request is tested again without it, still as one unit',
    source: 'zuul test_gate_reset_with_cycle',
    outcome: 'pass',
    leftOut: 'the unit is a batch, not a cycle of dependencies',
    settings: { concurrency: 2, batch: true, batchingMinSize: 2 },
    pullRequests: given(1, 2, 3),
    story: [
      submitWith({ noBatch: true }, 1),
      submit(2, 3),
      changes({ batchingMinSize: 3 }),
      fails('T[1]'),
      shows({ states: { 1: 'failed' }, testing: ['T[2+3]'] }),
      passes('T[2+3]'),
      shows({
        states: { 1: 'failed', 2: 'merged', 3: 'merged' },
        target: [2, 3],
        tested: ['T[1]', 'T[1,2+3]', 'T[2+3]'],
      }),
    ],
  },
];
