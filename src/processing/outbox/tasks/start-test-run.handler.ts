import { Injectable, Logger } from '@nestjs/common';
import type { PullRequestObservation } from '../../../domain/code-host.port';
import type { StartTestRun, StopTestRun } from '../../../engine/commands';
import type { NotStarted } from '../../../engine/events';
import type { DroppedStatus } from '../../../engine/model';
import { SECOND } from '../../../engine/vocabulary';
import { Clock } from '../../../platform/clock/clock';
import { Config } from '../../../platform/config/config';
import { Sql } from '../../../platform/database/sql';
import { uuidv5 } from '../../../platform/ids';
import { CrashPoints } from '../../../platform/lifecycle/crash-points';
import { skipRunNumbers } from '../run-numbers';
import { TaskHandler, type TaskContext } from '../task';
import { factsOf } from '../../../domain/pull-request-facts';
import { landingExpedited } from '../expedited-landings';
import type { AskAgain, TaskOutcome } from '../task-outcomes';
import { type Candidate, CandidateStore, type NewCandidate } from './candidate.store';
import { CandidateBuilder } from './candidate-builder';
import { readConfiguration } from './configuration-file';
import type { FoundStatuses } from '../required-statuses';
import { knownFailuresOf } from './known-results';
import { hostObjection, objectionTo, objectionToBase, readOwnPullRequests } from './start-objections';
import { objectionToFile, statusesToPass } from './start-statuses';
import { TestingPullRequests } from './testing-pull-requests';

/** The number of test runs from whose reports the usual delay of CI is computed. */
const RUNS_LOOKED_AT = 50;

/**
 * Makes the commit of a test run and pushes its branch, which starts CI. The handler reads everything from the host
 * first, because the task may be old. If an earlier attempt pushed a commit, this attempt continues with that commit.
 * If the result of the tree is known, nothing is pushed.
 */
@Injectable()
export class StartTestRunHandler extends TaskHandler<StartTestRun> {
  readonly type = 'startTestRun';
  readonly repeat = 'tolerated';
  private readonly logger = new Logger('StartTestRun');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly candidates: CandidateStore,
    private readonly builder: CandidateBuilder,
    private readonly pullRequests: TestingPullRequests,
    private readonly crashPoints: CrashPoints,
  ) {
    super();
  }

  async carryOut(task: TaskContext<StartTestRun>): Promise<TaskOutcome | AskAgain> {
    const runId = runIdOf(task);
    const pushed = task.attempts > 1 ? await this.pushedEarlier(task, runId) : null;
    if (pushed) {
      const statuses = await statusesToPass(task, this.config.brand);
      if (statuses.type !== 'found') throw new Error(`${pushed.branch} is pushed, but: ${JSON.stringify(statuses)}`);
      return this.push(task, pushed, statuses, []);
    }
    const baseObjection = await objectionToBase(task, this.clock);
    if (baseObjection?.type === 'target_moved' && (await this.isMergeUnderWay(task)))
      return { askAgainAt: new Date(this.clock.now().getTime() + 2 * SECOND), waitsFor: 'A merge moves the target.' };
    if (baseObjection) return notStarted(task, baseObjection, []);
    const { brand } = this.config;
    // The statuses are read before the host is asked about pull requests, because every waiting entry is tried once
    // while the configuration file is broken.
    const statuses = await statusesToPass(task, brand);
    if (statuses.type === 'config_unreadable') return notStarted(task, statuses, []);
    const seen = await readOwnPullRequests(task, this.sql, this.clock);
    const objection = objectionTo(task, seen);
    if (objection) return notStarted(task, objection, seen);
    if (statuses.type !== 'found') return notStarted(task, statuses, seen);
    const built = await this.builder.build(task, runId, seen);
    if (built.type === 'not_built') return notStarted(task, demandInPlaceOf(task, built.because, seen), seen);
    if (built.type === 'contained') return mergedByHand(task, built.numbers, seen);
    const refusal = hostObjection(task, seen) ?? (await objectionToFile(task, built.candidate.commit, brand));
    if (refusal) return notStarted(task, refusal, seen);
    this.crashPoints.reach('candidate built');
    const known = await this.knownResult(task, built.candidate, statuses, seen);
    if (known !== null) return known;
    const { commit } = built.candidate;
    const dropped = await droppedStatuses(this.sql, task, statuses, { commit, brand });
    return this.push(task, built.candidate, { ...statuses, dropped }, seen);
  }

  /**
   * Whether a landing of the queue is in progress at the host. The landing task is then made to check the merge,
   * because the queue decides on another base only when it knows the result.
   */
  private async isMergeUnderWay({ queueId }: TaskContext<StartTestRun>): Promise<boolean> {
    return (await this.sql.execute(landingExpedited(queueId, { isAskedFor: true }, this.clock.now()))) > 0;
  }

  giveUp(command: StartTestRun, problem: string): TaskOutcome {
    const because: NotStarted = { type: 'refused', reason: 'start_test_run_retry_exhausted', details: problem };
    return { event: { type: 'runNotStarted', run: command.run, because, seen: [] }, observed: [] };
  }

  override undoneBy({ run }: StartTestRun): StopTestRun {
    return { type: 'stopTestRun', run, because: 'ended', failure: null };
  }

  /** Asks the host whether an earlier attempt pushed its candidate. */
  private async pushedEarlier(task: TaskContext<StartTestRun>, runId: string): Promise<Candidate | null> {
    const candidate = await this.candidates.of(runId);
    if (!candidate) return null;
    const tip = await task.host.readBranch(task.repository, candidate.branch);
    return tip?.commit === candidate.commit ? candidate : null;
  }

  private async knownResult(
    { command, repository }: TaskContext<StartTestRun>,
    { commit, tree }: NewCandidate,
    { names, source, pins }: FoundStatuses,
    seen: readonly PullRequestObservation[],
  ): Promise<TaskOutcome | null> {
    if (command.reuseSince == null) return null;
    const red = await knownFailuresOf(this.sql, {
      repositoryId: repository.id,
      tree,
      requiredStatuses: names,
      pins,
      since: new Date(command.reuseSince),
    });
    if (red === null) return null;
    const at = this.clock.now().getTime();
    const known = { commit, tree, requiredStatuses: names, source, pins, red, at, seen: seen.map(factsOf) };
    return { event: { type: 'runResultKnown', run: command.run, ...known }, observed: seen };
  }

  private async push(
    task: TaskContext<StartTestRun>,
    candidate: NewCandidate,
    { names, source, pins, dropped = [] }: FoundStatuses & { readonly dropped?: readonly DroppedStatus[] },
    seen: readonly PullRequestObservation[],
  ): Promise<TaskOutcome> {
    const { command, host, repository } = task;
    const { runId, branch, commit, tree } = candidate;
    const outcome = await host.pushTestingBranch({
      repository,
      branch,
      commit,
      testRunId: runId,
      requiredStatuses: names,
    });
    if (outcome.type === 'exists_elsewhere') return this.takenBefore(task, candidate, outcome.commit, seen);
    if (outcome.type === 'refused') {
      const details = `${repository.host} refuses the branch ${branch}: ${outcome.why}`;
      return notStarted(task, { type: 'entry_refused', number: null, details }, seen);
    }
    this.crashPoints.reach('branch pushed');
    await this.pullRequests.open(task, candidate);
    const at = this.clock.now().getTime();
    const told = { requiredStatuses: names, source, pins, ...(dropped.length > 0 && { dropped }) };
    const pushed = { branch, commit, tree, ...told, at, seen: seen.map(factsOf) };
    return { event: { type: 'runPushed', run: command.run, ...pushed }, observed: seen };
  }

  /**
   * Handles a testing branch that already exists. Only this service names branches in this way, so a branch of an
   * unknown run means that this database is a restored backup.
   */
  private async takenBefore(
    task: TaskContext<StartTestRun>,
    { branch }: NewCandidate,
    commit: string,
    seen: readonly PullRequestObservation[],
  ): Promise<TaskOutcome> {
    this.logger.warn(
      `${branch} is at ${commit}, which this database does not know: the database was restored from a backup. The branch is removed, and test runs get other numbers.`,
    );
    await skipRunNumbers(this.sql, task.queueId);
    return notStarted(task, { type: 'base_gone' }, seen);
  }
}

function notStarted(
  { command }: TaskContext<StartTestRun>,
  because: NotStarted,
  seen: readonly PullRequestObservation[],
): TaskOutcome {
  return { event: { type: 'runNotStarted', run: command.run, because, seen: seen.map(factsOf) }, observed: seen };
}

/**
 * Replaces a conflict if the host itself says what a pull request lacks: the conflict is only a consequence, so the
 * pull request waits for the demand.
 */
function demandInPlaceOf(
  task: TaskContext<StartTestRun>,
  because: NotStarted,
  seen: readonly PullRequestObservation[],
): NotStarted {
  if (because.type !== 'conflict' || because.with !== 'target') return because;
  const isDemanded = seen.some(({ number, unmet = [] }) => number === because.number && unmet.length > 0);
  return (isDemanded ? hostObjection(task, seen) : null) ?? because;
}

/**
 * The outcome for pull requests that were merged bypassing the queue: manually, in another pull request, or before a
 * backup was restored.
 */
function mergedByHand(
  task: TaskContext<StartTestRun>,
  numbers: readonly number[],
  seen: readonly PullRequestObservation[],
): TaskOutcome {
  const merged = seen.map((one) => (numbers.includes(one.number) ? { ...one, state: 'merged' as const } : one));
  return notStarted(task, { type: 'pull_request_changed' }, merged);
}

function runIdOf({ queueId, command }: TaskContext<StartTestRun>): string {
  return uuidv5(queueId, String(command.run));
}

/**
 * The required statuses that the configuration file of this candidate no longer names, with the usual delay until CI
 * reports them.
 */
async function droppedStatuses(
  sql: Sql,
  task: TaskContext<StartTestRun>,
  { names, source }: FoundStatuses,
  candidate: { readonly commit: string; readonly brand: string },
): Promise<readonly DroppedStatus[]> {
  if (source !== 'trunk_config') return [];
  const file = await readConfiguration(task, candidate.commit, candidate.brand);
  if (file.type !== 'readable') return [];
  const dropped = names.filter((name) => !file.statuses.includes(name));
  if (dropped.length === 0) return [];
  const known = await usualDelays(sql, task, dropped);
  return dropped.map((name) => ({ name, usualDelayMs: known.get(name) ?? null }));
}

async function usualDelays(
  sql: Sql,
  { queueId, repository }: TaskContext<StartTestRun>,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.rows<{ name: string; delay: number }>`/* start-test-run.handler usualDelays */
    SELECT s."name", round(percentile_cont(0.9) WITHIN GROUP (
      ORDER BY greatest(extract(epoch FROM s."hostTime" - r."pushedAt") * 1000, 0)))::float8 AS "delay"
    FROM (SELECT "commit", "pushedAt" FROM "TestRun" WHERE "queueId" = ${queueId}::uuid AND "pushedAt" IS NOT NULL
        ORDER BY "number" DESC LIMIT ${RUNS_LOOKED_AT}) r
      JOIN "CommitStatus" s ON s."repositoryId" = ${repository.id}::uuid AND s."sha" = r."commit" AND s."name" = ANY(${[...names]})
    GROUP BY s."name"`;
  return new Map(rows.map(({ name, delay }) => [name, delay]));
}
