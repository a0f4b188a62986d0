import type { PullRequestDay, Tree } from '../../support/engine-host';
import type { EngineStore } from '../../../src/processing/replay/engine-store';
import type { AuthorityCheck } from './checks/authority-check';
import type { CodeWorld } from './code-world';
import type { Diary } from './diary';
import type { DayPlan } from './plan';
import type { Heads } from './heads';
import type { ServiceLife } from './service-life';
import type { Tally } from './tally';
import type { Time } from './time';

/** The world that the queues of a day share. */
export interface Surroundings {
  readonly plan: DayPlan;
  readonly time: Time;
  readonly code: CodeWorld;
  readonly life: ServiceLife;
  readonly diary: Diary;
  readonly tally: Tally;
  readonly pullRequests: Map<number, PullRequestDay>;
  readonly authority: AuthorityCheck;
  readonly heads: Heads;
  problem(problem: string): void;
  /** CI reports on the head of a pull request. */
  headReported(report: Parameters<EngineStore['report']>[0], tree: Tree): void;
  /** Somebody changes the base branch of a pull request for a while, without a host event. */
  turnAside(number: number): void;
}
