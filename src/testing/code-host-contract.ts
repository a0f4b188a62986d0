import type { LetterCase } from '../domain/host-repository';
import type { MergeMethod } from '../domain/code-host.port';
import { describeCandidates } from './contract/candidates';
import { type ContractRunner, suiteOf } from './contract/contract-suite';
import { CONTRACT_METHODS, HostUnderTest } from './contract/host-under-test';
import type { HostWorld, Later } from './contract/host-world';
import { describeLandingRaces } from './contract/landing-races';
import { describeLandings } from './contract/landings';
import { describeOutages } from './contract/outages';
import { describePullRequests } from './contract/pull-requests';
import { describeRefusedLandings } from './contract/refused-landings';
import { describeRepositories } from './contract/repositories';
import { describeTestingBranches } from './contract/testing-branches';

export type { ContractRunner } from './contract/contract-suite';
export type { ContractChanges, HostWorld } from './contract/host-world';

export interface ContractParts {
  /** Absent: the globals of jest. */
  readonly runner?: ContractRunner;
  /**
   * The merge methods whose candidates are tested. Absent: all. Name one method if a tested `GitHost` makes the
   * candidates.
   */
  readonly candidates?: readonly MergeMethod[];
  /** The same value as in the `@CodeHostAdapter` of the code host. Absent: `significant`. */
  readonly letterCase?: LetterCase;
}

/**
 * The guarantees of the port that every code host must give, as tests for Jest or a runner with the same globals:
 * `describe`, `it`, `expect`. Call this function at the top level of a test file. `name` begins the name of the suite.
 * `makeWorld` is called for every test; two worlds must share no data. Features that only some hosts have, such as
 * comments, need tests of the adapter.
 */
export function describeCodeHostContract(
  name: string,
  makeWorld: () => Later<HostWorld>,
  {
    candidates = CONTRACT_METHODS,
    letterCase = 'significant',
    runner = globalThis as unknown as ContractRunner,
  }: ContractParts = {},
): void {
  runner.describe(`${name} keeps the promises of a code host`, () => {
    let tested: HostUnderTest;
    runner.beforeEach(async () => {
      tested = new HostUnderTest(await makeWorld());
    });
    runner.afterEach(() => tested.world.close());

    const suite = suiteOf(runner, () => tested);
    describeRepositories(suite, letterCase);
    describePullRequests(suite);
    describeCandidates(suite, candidates);
    describeTestingBranches(suite);
    describeLandings(suite);
    describeRefusedLandings(suite);
    describeLandingRaces(suite);
    describeOutages(suite);
  });
}
