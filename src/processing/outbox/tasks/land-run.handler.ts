import { Injectable } from '@nestjs/common';
import type {
  AskedMerges,
  LandingMemory,
  LandOutcome,
  LandRefusal,
  MergingAtHost,
  PullRequestAtHead,
  PullRequestObservation,
  TestReports,
} from '../../../domain/code-host.port';
import { factsOf } from '../../../domain/pull-request-facts';
import type { LandRun } from '../../../engine/commands';
import type { LandingOutcome, LandingRefusal } from '../../../engine/events';
import { Prisma } from '../../../generated/prisma/client';
import { SECOND } from '../../../engine/vocabulary';
import { Clock } from '../../../platform/clock/clock';
import { Config } from '../../../platform/config/config';
import { Sql } from '../../../platform/database/sql';
import { uuidv5 } from '../../../platform/ids';
import { CrashPoints } from '../../../platform/lifecycle/crash-points';
import { TaskHandler, type TaskContext, type TargetSeen } from '../task';
import type { AskAgain, TaskOutcome } from '../task-outcomes';
import { CandidateStore, storedBranches } from './candidate.store';
import { checkDirectMerge, type DirectMergeCheck } from './direct-merge';
import { asClosed } from './gone-pull-request';
import { testedCommitBehind } from './known-results';
import { refuseUnobserved, storedAtHead } from './pull-requests-at-head';

interface Notes {
  readonly pullRequests: readonly PullRequestAtHead[];
  /** The tree of the head in a direct merge that was allowed; null for a tested run. */
  readonly headTree: string | null;
  /** The merges for which the host was asked. Absent: it was not asked for a merge in the background. */
  readonly asked?: AskedMerges;
}

type Landed = Exclude<LandOutcome, MergingAtHost>;

interface Prepared {
  readonly type: 'allowed';
  readonly notes: Notes;
  readonly testingBranches: readonly string[];
}

type Preparation = Prepared | Extract<DirectMergeCheck, { type: 'refused' }>;

/**
 * Lands tested runs, or a pull request that passed on its own, on the target. The push is guarded by the tip that the
 * queue last saw. The adapter first checks whether an earlier attempt has landed already. The check finds an earlier
 * landing because all attempts make the same commits, from the task's own time and from the titles and bodies in the
 * notes of the first attempt. The notes also say that a direct merge was allowed, because the check would fail after
 * the merge.
 */
@Injectable()
export class LandRunHandler extends TaskHandler<LandRun> {
  readonly type = 'landRun';
  readonly repeat = 'guarded';

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly candidates: CandidateStore,
    private readonly crashPoints: CrashPoints,
  ) {
    super();
  }

  async carryOut(task: TaskContext<LandRun>): Promise<TaskOutcome | AskAgain> {
    const { command, host, repository, targetBranch, queueId } = task;
    if (await this.isTooLate(task)) return { event: refused(command, { type: 'too_late' }), observed: [] };
    const runIds = command.runs.map((run) => uuidv5(queueId, String(run)));
    const preparation = await this.prepare(task, runIds);
    if (preparation.type === 'refused') return { event: refused(command, preparation.because), observed: [] };
    const { pullRequests, headTree } = preparation.notes;
    refuseUnobserved(command.changes, pullRequests);
    const askedAt = this.clock.now();
    const answer = await host.land({
      repository,
      targetBranch,
      onto: command.expectedTip.commit,
      expectedTip: command.expectedTip.commit,
      pullRequests,
      mergeMethod: command.mergeMethod,
      committedAt: new Date(Math.floor(command.orderedAt / SECOND) * SECOND),
      testedCommit: command.direct ? null : command.testedCommit,
      reports: await this.reportsOf(command, runIds),
      testedTree: command.direct ? headTree : command.testedTree,
      testingBranches: preparation.testingBranches,
      memory: this.memoryOf(task, preparation.notes),
    });
    this.crashPoints.reach('landing pushed');
    if (answer.type === 'merging') {
      const waitsFor = `${repository.host} was asked to merge #${answer.number}, and has not reported a result.`;
      return { askAgainAt: answer.askAgainAt, waitsFor };
    }
    const outcome = await this.closedWhereGone(repository.id, answer, askedAt);
    return { event: this.eventOf(command, outcome, askedAt.getTime()), observed: seenIn(outcome) };
  }

  private memoryOf(task: TaskContext<LandRun>, notes: Notes): LandingMemory {
    return {
      asked: notes.asked ?? null,
      store: async (asked) => {
        this.crashPoints.reach('merge asked');
        await task.remember({ ...notes, asked });
        this.crashPoints.reach('merge noted');
      },
    };
  }

  /** The outcome, in which a pull request that the host no longer has counts as closed, as at the start of a test. */
  private async closedWhereGone(repositoryId: string, outcome: Landed, askedAt: Date): Promise<Landed> {
    const refusal = outcome.type === 'landed_partly' ? outcome.because : outcome;
    if (refusal.type !== 'head_moved' || refusal.head !== null) return outcome;
    const seen = await asClosed(this.sql, repositoryId, refusal.number, askedAt);
    const changed = { type: 'pull_request_changed', seen } as const;
    return outcome.type === 'landed_partly' ? { ...outcome, because: changed } : changed;
  }

  /**
   * If the target has moved, a part of this landing may have moved it, so no pull request fails because of the moved
   * target.
   */
  giveUp(command: LandRun, problem: string, target: TargetSeen | null): TaskOutcome {
    return { event: refused(command, refusalWhenGivenUp(command, problem, target)), observed: [] };
  }

  /**
   * Whether the deadline has passed and nothing was landed yet. If the target has moved, an earlier attempt may have
   * landed, so the host is asked for the result. The same applies while the host merges, because that cannot be undone.
   */
  private async isTooLate({ command, host, repository, targetBranch, notes }: TaskContext<LandRun>): Promise<boolean> {
    const { notAfter, expectedTip } = command;
    if ((notes as Notes | null)?.asked?.underWay) return false;
    if (notAfter === undefined || this.clock.now().getTime() < notAfter) return false;
    const tip = await host.readBranch(repository, targetBranch);
    return tip?.commit === expectedTip.commit;
  }

  private async prepare(task: TaskContext<LandRun>, runIds: readonly string[]): Promise<Preparation> {
    const { command, repository, notes: earlier } = task;
    if (earlier !== null) {
      return { type: 'allowed', notes: earlier as Notes, testingBranches: await this.candidates.branchesOf(runIds) };
    }
    let headTree: string | null = null;
    if (command.direct) {
      const check = await checkDirectMerge(task, command.direct, this.sql, this.config.brand);
      if (check.type === 'refused') return check;
      headTree = check.tree;
    }
    const pullRequests = storedAtHead(repository.id, command.changes);
    const notes = Prisma.sql`jsonb_build_object('pullRequests', ${pullRequests}, 'headTree', ${headTree}::text)`;
    const stored = await task.rememberStored(notes, storedBranches(runIds));
    return { type: 'allowed', notes: stored.notes as Notes, testingBranches: stored.also as string[] };
  }

  private async reportsOf(command: LandRun, runIds: readonly string[]): Promise<TestReports | undefined> {
    const { direct, changes, testedCommit, reportedStatuses } = command;
    if (direct) return { commit: changes[0]!.head, names: [] };
    if (reportedStatuses !== undefined) return { commit: testedCommit, names: reportedStatuses };
    const last = runIds.at(-1);
    const commit = last === undefined ? null : await testedCommitBehind(this.sql, last);
    return commit === null ? undefined : { commit, names: [] };
  }

  private eventOf(command: LandRun, outcome: Landed, askedAt: number): LandingOutcome {
    const { landing } = command;
    const at = this.clock.now().getTime();
    switch (outcome.type) {
      case 'landed':
        return { ...outcome, landing, at };
      case 'landed_partly': {
        const { tip, commits, wrongTrees } = outcome;
        return {
          type: 'landedPartly',
          landing,
          tip,
          commits,
          ...(wrongTrees && { wrongTrees }),
          because: refusalOf(command, outcome.because, askedAt),
          at,
        };
      }
      default:
        return refused(command, refusalOf(command, outcome, askedAt));
    }
  }
}

function seenIn(outcome: Landed): readonly PullRequestObservation[] {
  const refusal = outcome.type === 'landed_partly' ? outcome.because : outcome;
  return refusal.type === 'pull_request_changed' ? [refusal.seen] : [];
}

function refused({ landing }: LandRun, because: LandingRefusal): LandingOutcome {
  return { type: 'landingRefused', landing, because };
}

function refusalWhenGivenUp(command: LandRun, problem: string, target: TargetSeen | null): LandingRefusal {
  if (target?.tip === null) return { type: 'target_gone' };
  if (target && target.tip.commit !== command.expectedTip.commit) {
    return { type: 'target_moved', tip: target.tip, seenAt: target.seenAt.getTime() };
  }
  return { type: 'host_refused', number: command.changes[0]!.number, why: problem };
}

function refusalOf({ direct, mergeMethod }: LandRun, outcome: LandRefusal, askedAt: number): LandingRefusal {
  switch (outcome.type) {
    case 'target_moved':
      return { type: 'target_moved', tip: outcome.tip, seenAt: askedAt };
    case 'target_gone':
      return { type: 'target_gone' };
    case 'head_moved':
      return { type: 'head_moved', number: outcome.number };
    case 'pull_request_changed':
      return { type: 'pull_request_changed', facts: factsOf(outcome.seen) };
    case 'refused':
      return { ...outcome, type: 'host_refused' };
    case 'not_yet':
      return outcome;
    // In parallel mode, a change may no longer merge onto the tip. Like a different tree, such a conflict requires
    // another test.
    case 'conflict':
    case 'tree_differs':
      if (!direct) return { type: 'tree_differs' };
      return {
        type: 'not_direct',
        why: `By ${mergeMethod} the target would not get the tree that its statuses passed on.`,
      };
  }
}
