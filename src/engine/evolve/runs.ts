import type { Change } from '../changes';
import type { QueueSnapshot, TestRun } from '../model';

type RunChange = Extract<
  Change,
  {
    type:
      | 'runStarted'
      | 'runPushed'
      | 'runBranchMoved'
      | 'runCiSeen'
      | 'runResultReused'
      | 'runPassed'
      | 'runFoundRed'
      | 'runFailed'
      | 'runConflicted'
      | 'runEnded';
  }
>;

export function evolveRuns(queue: QueueSnapshot, change: RunChange): QueueSnapshot {
  switch (change.type) {
    case 'runStarted':
      return { ...queue, runs: [...queue.runs, change.run], nextRun: change.run.number + 1 };
    case 'runPushed': {
      const { branch, commit, tree, requiredStatuses, pins, dropped, pushedAt, deadline } = change;
      const pushed = {
        branch,
        commit,
        tree,
        requiredStatuses,
        pins,
        ...(dropped && { dropped }),
        pushedAt,
        deadline,
        requiredStatusesSource: change.source,
      };
      return withRun(queue, change.run, (run) => ({ ...run, ...pushed, phase: 'testing' }));
    }
    case 'runBranchMoved':
      return withRun(queue, change.run, (run) => ({ ...run, moved: change.moved }));
    case 'runCiSeen':
      return withRun(queue, change.run, ({ ciEnd: _, ...run }) =>
        change.end === null ? run : { ...run, ciEnd: change.end },
      );
    case 'runResultReused': {
      const { commit, tree, requiredStatuses, pins, source: requiredStatusesSource } = change;
      const known = { commit, tree, requiredStatuses, requiredStatusesSource, pins, reused: true };
      return withRun(queue, change.run, (run) => ({ ...run, ...known }));
    }
    case 'runPassed':
      return withRun(queue, change.run, (run) => ({ ...run, phase: 'passed', resultAt: change.at, failure: null }));
    case 'runFoundRed':
      return withRun(queue, change.run, (run) => ({ ...run, redSince: change.at }));
    case 'runFailed':
      return withRun(queue, change.run, (run) => ({
        ...run,
        phase: 'failed',
        resultAt: change.at,
        failure: change.failure,
      }));
    case 'runConflicted':
      return withRun(queue, change.run, (run) => ({ ...run, phase: 'conflicted', conflict: change.conflict }));
    case 'runEnded':
      return { ...queue, runs: queue.runs.filter((run) => run.number !== change.run) };
  }
}

function withRun(queue: QueueSnapshot, number: number, update: (run: TestRun) => TestRun): QueueSnapshot {
  return { ...queue, runs: queue.runs.map((run) => (run.number === number ? update(run) : run)) };
}
