import { Injectable } from '@nestjs/common';
import type { LandOutcome, PullRequestAtHead } from '../../code-hosts/code-host.port';
import type { LandRun } from '../../engine/commands';
import type { LandingOutcome, LandingRefusal } from '../../engine/events';
import { SECOND } from '../../engine/vocabulary';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { uuidv5 } from '../../platform/ids';
import { CrashPoints } from '../../platform/lifecycle/crash-points';
import { CommandHandler, type Order } from '../command-handler';
import type { Outcome } from '../outcomes';
import { CandidateBook } from './candidate-book';
import { pullRequestsAtHead } from './pull-requests-at-head';

interface Notes {
  readonly pullRequests: readonly PullRequestAtHead[];
}

/**
 * Puts tested runs on the target. Guarded by the tip that the queue last saw; the host looks first whether an earlier
 * try already landed this very order, which works because every try makes the same commits: from the order's own time
 * and from the titles and bodies that the first try wrote down.
 */
@Injectable()
export class LandRunHandler extends CommandHandler<LandRun> {
  readonly type = 'landRun';
  readonly repeat = 'guarded';

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly candidates: CandidateBook,
    private readonly crashPoints: CrashPoints,
  ) {
    super();
  }

  async carryOut(order: Order<LandRun>): Promise<Outcome> {
    const { command, host, repository, targetBranch, queueId } = order;
    const pullRequests = await this.asFirstTried(order);
    const runIds = command.runs.map((run) => uuidv5(queueId, String(run)));
    const askedAt = this.clock.now();
    const outcome = await host.land({
      repository,
      targetBranch,
      onto: command.expectedTip.commit,
      expectedTip: command.expectedTip.commit,
      pullRequests,
      mergeMethod: command.mergeMethod,
      committedAt: new Date(Math.floor(command.orderedAt / SECOND) * SECOND),
      testedCommit: command.testedCommit,
      testedTree: command.testedTree,
      testingBranches: await this.candidates.branchesOf(runIds),
    });
    this.crashPoints.reach('landing pushed');
    return { event: this.eventOf(command.landing, outcome, askedAt.getTime()), observed: [] };
  }

  giveUp({ landing, changes }: LandRun, problem: string): Outcome {
    const because: LandingRefusal = { type: 'host_refused', number: changes[0]!.number, why: problem };
    return { event: { type: 'landingRefused', landing, because }, observed: [] };
  }

  private async asFirstTried(order: Order<LandRun>): Promise<readonly PullRequestAtHead[]> {
    if (order.notes !== null) return (order.notes as Notes).pullRequests;
    const pullRequests = await pullRequestsAtHead(this.prisma, order.repository.id, order.command.changes);
    await order.remember({ pullRequests } satisfies Notes);
    return pullRequests;
  }

  private eventOf(landing: number, outcome: LandOutcome, askedAt: number): LandingOutcome {
    if (outcome.type !== 'landed') return { type: 'landingRefused', landing, because: refusalOf(outcome, askedAt) };
    const { tip, commits } = outcome;
    return { type: 'landed', landing, tip, commits, at: this.clock.now().getTime() };
  }
}

function refusalOf(outcome: Exclude<LandOutcome, { type: 'landed' }>, askedAt: number): LandingRefusal {
  switch (outcome.type) {
    case 'target_moved':
      return { type: 'target_moved', tip: outcome.tip, seenAt: askedAt };
    case 'target_gone':
      return { type: 'target_gone' };
    case 'head_moved':
      return { type: 'head_moved', number: outcome.number };
    case 'refused':
      return { type: 'host_refused', number: outcome.number, why: outcome.why };
    // In lanes the change no longer merges onto the tip: it is tested again there, like one whose tree came out different.
    case 'conflict':
    case 'tree_differs':
      return { type: 'tree_differs' };
  }
}
