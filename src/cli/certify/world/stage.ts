import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import type { CodeHost } from '../../../domain/code-host.port';
import { HostUnderTest } from '../../../testing/contract/host-under-test';
import { landingToTheEnd } from '../../../testing/contract/land-to-the-end';
import type { HostWorld } from '../../../testing/code-host-contract';
import { type HostAccount, type HostPeopleAt, NotOffered, StepRefused } from '../servers/tested-server';
import { branchOf, contractWorld } from './contract-world';
import { GitFolder } from './git-folder';
import type { MakeAdapter } from './real-adapter';
import type { Troupe } from './troupe';
import { Wire } from './wire';

/** The number of times to look, because the host needs some time until it shows the actions of people. */
const LOOKS = 300;
const BETWEEN_LOOKS_MS = 100;
const BETWEEN_LOOKS_AT_CI_MS = 500;

export interface StageParts {
  readonly troupe: Troupe;
  readonly makeAdapter: MakeAdapter;
  /** The number of the repository `owner/name`. */
  readonly number: number;
}

/**
 * The parts of a running row: its own repository at the server, the adapter in front of the server, and the actions of
 * people in the repository.
 */
export class Stage extends HostUnderTest {
  private adapters = 0;
  private openedNumbers = 0;
  private isOver = false;
  private readonly headBranches = new Set<string>();

  private constructor(
    readonly troupe: Troupe,
    private readonly makeAdapter: MakeAdapter,
    private readonly folder: string,
    readonly wire: Wire,
    readonly git: GitFolder,
    readonly people: HostPeopleAt,
    world: HostWorld,
  ) {
    super(world);
  }

  static async open({ troupe, makeAdapter, number }: StageParts): Promise<Stage> {
    const made = await troupe.makeRepository(String(number));
    const folder = mkdtempSync(join(tmpdir(), 'sluice-certify-'));
    const { server, owner } = troupe;
    const wire = await Wire.open(server, troupe.secrets());
    try {
      const remote = `${server.gitUrl}/${made.owner}/${made.name}.git`;
      const git = await GitFolder.make(folder, remote, server.gitUrl, owner);
      const host = makeAdapter(adapterAt(troupe, wire, join(folder, 'data-0')));
      const repository = { id: ROW_REPOSITORY, host: troupe.hostName, owner: made.owner, name: made.name };
      const world = { ...contractWorld(() => stage), host, repository };
      const stage: Stage = new Stage(troupe, makeAdapter, folder, wire, git, server.people(made), world);
      await stage.begin();
      return stage;
    } catch (error) {
      await wire.close();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Puts one commit on `main`, and gives the service the permissions that the guide of the code host names. */
  private async begin(): Promise<void> {
    await this.git.push('main', await this.git.commit(null, { 'README.md': 'hello\n' }, 'start'));
    await this.until('the first push', () => this.troupe.server.hasBranches(this.people.repository));
    await this.people.addService(this.troupe.service);
  }

  /** An account that does not play the service. Throws NotOffered. */
  get other(): HostAccount {
    if (this.troupe.other !== null) return this.troupe.other;
    throw new NotOffered('a second account needs a token: give --second-token-file');
  }

  /** Simulates a kill: a new process, without memory of the first. */
  restart(token = this.troupe.service.token): CodeHost {
    const dataDirectory = join(this.folder, `data-${++this.adapters}`);
    const host = this.makeAdapter({ ...adapterAt(this.troupe, this.wire, dataDirectory), token });
    return landingToTheEnd(host, this.world);
  }

  /** The label of a runner, for rows that need CI only. */
  get runnerLabel(): string {
    return this.troupe.runnerLabel ?? '';
  }

  /** Waits for background work of the server. */
  until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    return this.look(what, isSo, BETWEEN_LOOKS_MS);
  }

  /** Like `until`, but waits longer, because a runner has to take the job. */
  untilCi(what: string, isSo: () => Promise<boolean>): Promise<void> {
    return this.look(what, isSo, BETWEEN_LOOKS_AT_CI_MS);
  }

  private async look(what: string, isSo: () => Promise<boolean>, everyMs: number): Promise<void> {
    for (let look = 0; look < LOOKS; look++) {
      if (this.isOver) throw new StepRefused('the row was stopped');
      if (await isSo()) return;
      await passed(everyMs);
    }
    throw new StepRefused(`the server did not show this within ${(LOOKS * everyMs) / 1000} s: ${what}`);
  }

  /** Opens a pull request with the given number, after using up all lower numbers. */
  async openNumber(number: number, commit: string, as = this.troupe.owner): Promise<string> {
    while (this.openedNumbers < number - 1) {
      await this.people.useUpNumber(() => this.makeFillerBranch());
      this.openedNumbers++;
    }
    const branch = branchOf(number);
    this.headBranches.add(branch);
    await this.git.push(branch, commit);
    const pull = { head: branch, base: 'main', title: `Change ${number}`, body: 'Because.', as };
    const got = await this.people.openPull(pull);
    this.openedNumbers = got;
    if (got !== number) throw new StepRefused(`the server gave the number ${got} in place of ${number}`);
    await this.followed(number, commit);
    return commit;
  }

  /** Waits until the server has checked every open pull request again, which happens some time after a push. */
  async settled(): Promise<void> {
    if (this.people.isLookedAt === undefined) return;
    for (let number = 1; number <= this.openedNumbers; number++)
      await this.until(`the look at ${number}`, async () => (await this.people.isLookedAt?.(number)) !== false);
  }

  private async makeFillerBranch(): Promise<{ branch: string; remove: () => Promise<void> }> {
    const branch = `filler-${this.openedNumbers + 1}`;
    const { commit } = await this.tip();
    await this.git.fetch(commit);
    await this.git.push(branch, await this.git.commit(commit, { [branch]: 'filler\n' }, 'Filler'));
    return { branch, remove: () => this.git.push(branch, null) };
  }

  async pushToFork(fork: ForkPlace, branch: string, commit: string, as: HostAccount): Promise<void> {
    const { gitUrl } = this.troupe.server;
    await this.git.pushTo(`${gitUrl}/${fork.owner}/${fork.name}.git`, branch, commit, as);
  }

  /** Waits until the server shows the head of a pull request by API and by git. */
  async followed(number: number, commit: string): Promise<void> {
    const ref = this.troupe.server.headRefOf(number);
    await this.until(`the head of ${number}`, async () => {
      const seen = await this.people.readPull(number);
      return seen.state === 'closed' || (seen.head === commit && (await this.git.refs(ref)).get(ref) === commit);
    });
    await this.settled();
  }

  isHeadOfPull(branch: string): boolean {
    return this.headBranches.has(branch);
  }

  /** Makes another branch the default first, because servers refuse to remove the default branch. */
  async removeBranch(branch: string): Promise<void> {
    if (branch === 'main') {
      const tip = await this.git.tip('main');
      this.headBranches.add(SPARE);
      if (tip !== null) await this.git.push(SPARE, tip);
      await this.people.setDefaultBranch(SPARE);
    }
    await this.git.push(branch, null);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.wire.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const SPARE = 'spare-default';
const ROW_REPOSITORY = '5b0c8f0e-6d1c-4b55-9a0e-2f6a5f0f3c11';

export interface ForkPlace {
  readonly owner: string;
  readonly name: string;
}

function adapterAt(troupe: Troupe, wire: Wire, dataDirectory: string) {
  mkdirSync(dataDirectory, { recursive: true });
  const { kind } = troupe.server;
  const addresses = { gitUrl: wire.gitUrl, apiUrl: wire.apiUrl };
  return { kind, host: troupe.hostName, ...addresses, token: troupe.service.token, dataDirectory };
}
