import { setTimeout as passed } from 'node:timers/promises';
import { machineTime } from '../../../platform/clock/machine-time';
import type { HostWorld } from '../../../testing/code-host-contract';
import { type HostPeopleAt, StepRefused } from '../servers/tested-server';
import type { GitFolder } from './git-folder';
import type { Wire } from './wire';

/** The accounts and tools that play the people of the contract. */
export interface ContractActors {
  readonly git: GitFolder;
  readonly people: HostPeopleAt;
  readonly wire: Wire;
  openNumber(number: number, commit: string): Promise<string>;
  followed(number: number, commit: string): Promise<void>;
  settled(): Promise<void>;
  isHeadOfPull(branch: string): boolean;
  removeBranch(branch: string): Promise<void>;
}

/** The branch of the pull request with this number. */
export function branchOf(number: number): string {
  return `change-${number}`;
}

/** The actions of people in the world of the contract, by ordinary git and the API of the server. */
export function contractWorld(current: () => ContractActors): Omit<HostWorld, 'host' | 'repository'> {
  const onto = async (branch: string): Promise<string> => {
    const tip = await current().git.tip(branch);
    if (tip === null) throw new StepRefused(`there is no branch ${branch}`);
    return tip;
  };
  return {
    openPullRequest: async (number, changes, from) => {
      const { git } = current();
      const commit = await git.commit(from ?? (await onto('main')), changes, `Change ${number}`);
      return current().openNumber(number, commit);
    },
    pushToPullRequest: async (number, changes) => {
      const commit = await current().git.commit(await onto(branchOf(number)), changes, 'more');
      await current().git.push(branchOf(number), commit);
      await current().followed(number, commit);
      return commit;
    },
    pushTo: async (branch, changes) => {
      const commit = await current().git.commit(await onto(branch), changes, 'bypassing the queue');
      await current().git.push(branch, commit);
      await current().settled();
      return commit;
    },
    setBranch: async (branch, commit) => {
      await current().git.fetch(commit);
      await current().git.push(branch, commit);
      await current().settled();
    },
    removeBranch: (branch) => current().removeBranch(branch),
    refuseTestingBranches: () => current().people.refuseTestingBranches(),
    overtakeNextLanding: (branch, commit) =>
      current().wire.onNextPush(async () => {
        if (commit === null) return current().removeBranch(branch);
        await current().git.fetch(commit);
        await current().git.push(branch, commit);
      }),
    turn: {
      changeBase: (number, base) => current().people.editPull(number, { base }),
      convertToDraft: (number) => current().people.editPull(number, { isDraft: true }),
      close: (number) => current().people.editPull(number, { state: 'closed' }),
    },
    branches: async () => {
      const all = await current().git.branches();
      return all.filter((branch) => !current().isHeadOfPull(branch)).sort();
    },
    files: (commit) => current().git.files(commit),
    goDown: () => current().wire.goDown(),
    recover: () => current().wire.recover(),
    waitUntil: (time) => passed(Math.max(0, time.getTime() - machineTime().getTime())),
    close: () => undefined,
  };
}
