import type { Change } from '../changes';
import type { QueueSnapshot, TestRun } from '../model';

type TargetChange = Extract<
  Change,
  {
    type: 'landingOrdered' | 'changeLanded' | 'landingSettled' | 'targetMoved' | 'partLanded' | 'partEvaluated';
  }
>;

export function evolveTarget(queue: QueueSnapshot, change: TargetChange): QueueSnapshot {
  switch (change.type) {
    case 'landingOrdered': {
      const { landing } = change;
      const runs = queue.runs.map((run): TestRun =>
        landing.runs.includes(run.number) ? { ...run, phase: 'landing' } : run,
      );
      return { ...queue, runs, landing, nextLanding: landing.number + 1 };
    }
    case 'changeLanded': {
      const seq = queue.landedSeq + 1;
      const mergedLately = [...queue.mergedLately, { at: change.at, count: 1 }];
      return {
        ...queue,
        mergedLately,
        landedSeq: seq,
        landed: [...queue.landed, { ...change.change, seq, epoch: queue.epoch, landing: change.landing }],
      };
    }
    case 'landingSettled': {
      const runs = queue.runs.map((run): TestRun => {
        return run.phase === 'landing' ? { ...run, phase: phaseBeforeLanding(run) } : run;
      });
      return { ...queue, runs, landing: null };
    }
    case 'targetMoved':
      return { ...queue, tip: change.tip, tipSeenAt: change.seenAt, epoch: queue.epoch + change.epochs };
    case 'partLanded':
      return { ...queue, partialLanding: change.part };
    case 'partEvaluated': {
      const { partialLanding: part } = queue;
      const { problem } = change;
      return { ...queue, partialLanding: problem === null || part === null ? null : { ...part, problem } };
    }
  }
}

/**
 * The phase of a run before its landing. A run without a result was proven by another run, so its own test continues.
 */
function phaseBeforeLanding({ resultAt, failure }: TestRun): TestRun['phase'] {
  if (resultAt === null) return 'testing';
  return failure === null ? 'passed' : 'failed';
}
