import { Injectable } from '@nestjs/common';
import {
  type CandidateOutcome,
  HostUnavailable,
  type PullRequestAtHead,
  type PullRequestObservation,
} from '../../../domain/code-host.port';
import type { StartTestRun } from '../../../engine/commands';
import type { NotStarted } from '../../../engine/events';
import { isOfCulpritSearch } from '../../../engine/states';
import { SECOND } from '../../../engine/vocabulary';
import { Clock } from '../../../platform/clock/clock';
import { Config } from '../../../platform/config/config';
import { Sql } from '../../../platform/database/sql';
import type { TaskContext } from '../task';
import { CandidateStore, type NewCandidate } from './candidate.store';
import { pullRequestsAtHead } from './pull-requests-at-head';

type BuildResult =
  | { readonly type: 'built'; readonly candidate: NewCandidate }
  /** The target already contains these heads, because their pull requests were merged bypassing the queue. */
  | { readonly type: 'contained'; readonly numbers: readonly number[] }
  | { readonly type: 'not_built'; readonly because: NotStarted };

/**
 * The number of attempts to get a commit that no other run has. From the second attempt on, the commit is dated one
 * second after every other run of the same tree, so the first or second attempt usually succeeds.
 */
const TRIES = 5;
/**
 * The maximum number of conflicting files that are stored. A conflict may affect more files than anybody reads, and the
 * queue stores the names as long as the pull request waits.
 */
const MOST_FILES = 100;

/** Makes the commit of a test run. No other run has the same commit, so a status on it belongs to this run alone. */
@Injectable()
export class CandidateBuilder {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly candidates: CandidateStore,
  ) {}

  /** `seen`: observations of the run's own pull requests at the heads of the task. */
  async build(
    task: TaskContext<StartTestRun>,
    runId: string,
    seen: readonly PullRequestObservation[],
  ): Promise<BuildResult> {
    const { command, repository } = task;
    const branch = testingBranch(this.config.brand, command, runId);
    const heads = new Set(command.own.map((change) => change.head));
    let committedAt = wholeSeconds(command.createdAt);
    for (let tried = 0; tried < TRIES; tried++) {
      const outcome = await this.buildOnce(task, committedAt, seen);
      if (outcome.type === 'missing_commit' && heads.has(outcome.commit)) throw headMissing(task, outcome.commit);
      if (outcome.type !== 'built') return { type: 'not_built', because: whyNotBuilt(task, outcome) };
      const contained = firstOnTarget(task, outcome.contained ?? []);
      if (contained.length > 0) return { type: 'contained', numbers: contained };
      const numbers = firstOnTarget(task, outcome.alreadyThere ?? []);
      if (numbers.length > 0) return { type: 'not_built', because: { type: 'nothing_to_merge', numbers } };
      const { commit, tree } = outcome;
      const candidate = { runId, branch, commit, tree, committedAt };
      const isOwn = !heads.has(commit);
      if (isOwn && (await this.candidates.write(repository.id, candidate, this.clock.now())) === 'written') {
        return { type: 'built', candidate };
      }
      const latest = await this.candidates.latestOfTree(repository.id, tree, runId);
      committedAt = new Date(Math.max(committedAt.getTime(), latest?.getTime() ?? 0) + SECOND);
    }
    throw new Error(`Test run ${command.run} could not be given a commit of its own.`);
  }

  /**
   * Merges everything once. A base that was never pushed exists only in the clone in which it was made: if the base is
   * missing, its pull requests are merged again, too.
   */
  private async buildOnce(
    { command, host, repository, targetBranch }: TaskContext<StartTestRun>,
    committedAt: Date,
    seen: readonly PullRequestObservation[],
  ): Promise<CandidateOutcome> {
    const { target, onto, builtOn, mergeMethod } = command;
    const all = await pullRequestsAtHead(this.sql, repository.id, [...onto.contains, ...builtOn, ...command.own]);
    for (const one of seen) {
      const index = all.findLastIndex(({ number }) => number === one.number);
      all[index] = { ...all[index]!, ...atHead(one) };
    }
    const buildOnto = (commit: string, contained: number): Promise<CandidateOutcome> => {
      const [alreadyMerged, pullRequests] = [all.slice(0, contained), all.slice(contained)];
      const fixed = { repository, targetBranch, targetTip: target.commit, mergeMethod, committedAt };
      return host.buildCandidate({ ...fixed, onto: commit, alreadyMerged, pullRequests });
    };
    const outcome = await buildOnto(onto.commit, onto.contains.length);
    const isOntoGone = outcome.type === 'missing_commit' && outcome.commit === onto.commit;
    return isOntoGone && onto.commit !== target.commit ? buildOnto(target.commit, 0) : outcome;
  }
}

/** The name of the testing branch. Existing clients recognise the tests of a bisection by the suffix. */
function testingBranch(brand: string, { kind = 'line', about, own }: StartTestRun, runId: string): string {
  const suffix = isOfCulpritSearch(kind) ? '-bisection' : '';
  const number = about ?? own[0]?.number;
  return `${brand}-merge/${number === undefined ? 'target' : `pr-${number}`}/${runId}${suffix}`;
}

/**
 * The run's own pull requests up to the first that is not among `numbers`, if the run is built on the target alone.
 * Behind another change, a pull request may have nothing left to merge only because of that change.
 */
function firstOnTarget({ command }: TaskContext<StartTestRun>, numbers: readonly number[]): readonly number[] {
  const { own, onto, builtOn, target, keepsBase } = command;
  const isBare = onto.commit === target.commit && onto.contains.length === 0 && builtOn.length === 0;
  if (!isBare || keepsBase) return [];
  const firstNew = own.findIndex(({ number }) => !numbers.includes(number));
  return own.slice(0, firstNew === -1 ? own.length : firstNew).map(({ number }) => number);
}

function whyNotBuilt(
  { command }: TaskContext<StartTestRun>,
  outcome: Exclude<CandidateOutcome, { type: 'built' }>,
): NotStarted {
  const { own } = command;
  if (outcome.type === 'missing_commit') return { type: 'base_gone' };
  const { number } = outcome;
  const isOwn = own.some((change) => change.number === number);
  if (outcome.type === 'refused' && isOwn) return { type: 'entry_refused', number, details: outcome.why };
  // A pull request ahead could be built before, alone or on other heads, so the refusal is about its merge onto this
  // target.
  if (outcome.type === 'refused') return { type: 'conflict', number, with: 'target', files: [] };
  const files = outcome.files.slice(0, MOST_FILES);
  const reasons = Object.entries(outcome.reasons ?? {}).filter(([file]) => file === '' || files.includes(file));
  const known = reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) };
  return { type: 'conflict', number, with: outcome.with, files, ...known };
}

/**
 * The error for a head that the host shows and does not have: it was replaced a moment ago, which the next attempt will
 * see, or the host's repository is damaged.
 */
function headMissing({ repository }: TaskContext<StartTestRun>, commit: string): HostUnavailable {
  return new HostUnavailable(
    repository.host,
    'server_error',
    `The host shows the head ${commit}, but does not have it.`,
  );
}

function atHead(seen: PullRequestObservation): PullRequestAtHead {
  const { number, head, title, body, author, authorEmail, headBranch } = seen;
  return { number, head, title, body, author, authorEmail, headBranch };
}

function wholeSeconds(at: number): Date {
  return new Date(Math.floor(at / SECOND) * SECOND);
}
