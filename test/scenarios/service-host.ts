import { HostUnavailable } from '../../src/domain/code-host.port';
import type { MemoryHost } from '../../src/code-hosts/memory/memory-host';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { assertNever, type Mergeability } from '../../src/engine/vocabulary';
import type { GivenPullRequest, Landed } from './notation';
import type { PullRequestTurn } from './story';
import type { Move } from './stage';

type Call = 'pushTestingBranch' | 'land';

/** Tells whoever plays now of every landing at the host, at the moment it happens; one for all rows of a service. */
export class HostWatch {
  playing: { beforeLanding(): void; afterCall(call: Call): void } | null = null;

  constructor(host: MemoryHost) {
    this.watch(host, 'pushTestingBranch');
    this.watch(host, 'land');
    this.guard(host);
  }

  private watch(host: MemoryHost, call: Call): void {
    host.faults.afterNext(call, () => {
      this.watch(host, call);
      this.playing?.afterCall(call);
    });
  }

  private guard(host: MemoryHost): void {
    host.faults.beforeNext('land', () => {
      this.guard(host);
      this.playing?.beforeLanding();
    });
  }
}

/** What people do in the repository of one scenario, and what can be seen there. */
export class ScenarioRepository {
  readonly moves: Move[] = [];
  private tipSeen: string;
  private answerToLose: Call | null = null;
  private isLandingBroken = false;

  constructor(
    private readonly place: MemoryRepository,
    private readonly host: MemoryHost,
    given: readonly GivenPullRequest[],
  ) {
    place.branches.set('release', place.tip('main').commit);
    for (const pullRequest of given) this.open(pullRequest, given);
    this.tipSeen = place.tip('main').commit;
  }

  beforeLanding(): void {
    if (this.isLandingBroken) throw this.unavailable('server_error');
  }

  afterCall(call: Call): void {
    const { commit } = this.place.tip('main');
    if (commit !== this.tipSeen) this.moves.push({ before: this.namesAt(this.tipSeen), after: this.namesAt(commit) });
    this.tipSeen = commit;
    if (this.answerToLose !== call) return;
    this.answerToLose = null;
    throw this.unavailable('no_answer');
  }

  loseAnswerOf(task: 'start' | 'landing'): void {
    this.answerToLose = task === 'start' ? 'pushTestingBranch' : 'land';
  }

  breakLandings(): void {
    this.isLandingBroken = true;
  }

  refuse(number: number, why: string): void {
    this.place.pullRequest(number).refusal = why;
  }

  goDown(): void {
    this.host.faults.goDown(this.unavailable('no_answer'));
  }

  answerAgain(): void {
    this.host.faults.recover();
  }

  headOf(number: number): string {
    return this.place.pullRequest(number).head;
  }

  target(): readonly string[] {
    return this.namesAt(this.place.tip('main').commit);
  }

  testingBranches(): readonly string[] {
    return [...this.place.branches.keys()].filter((branch) => branch !== 'main' && branch !== 'release');
  }

  /** What a commit holds beyond the first one, oldest first: `1@a` is pull request 1 at its first head. */
  namesAt(commit: string): readonly string[] {
    const { objects } = this.place;
    const names: string[] = [];
    for (let at = objects.get(commit); at.parents[0] !== undefined; at = objects.get(at.parents[0])) {
      // A test of the target alone adds a commit and nothing else.
      if (/^Test \S+ as it is$/.test(at.message.trim())) continue;
      const number = /#(\d+)/.exec(at.message)?.[1];
      names.unshift(number === undefined ? at.message : `${number}@${at.files[fileOf(number)]}`);
    }
    return names;
  }

  turn(number: number, into: PullRequestTurn): void {
    switch (into) {
      case 'pushed to': {
        const letter = this.place.files(this.headOf(number))[fileOf(number)] ?? 'a';
        this.place.pushToPullRequest(number, { [fileOf(number)]: String.fromCharCode(letter.charCodeAt(0) + 1) });
        return;
      }
      case 'closed':
      case 'reopened':
        this.place.pullRequest(number).state = into === 'closed' ? 'closed' : 'open';
        return;
      case 'merged by hand':
        this.tipSeen = this.place.mergeByHand(number);
        return;
      case 'removed':
        this.place.pullRequests.delete(number);
        return;
      case 'mentioned':
        return;
      default:
        assertNever(into);
    }
  }

  sayMergeability(number: number, says: Mergeability): void {
    this.place.pullRequest(number).mergeabilityAnswers =
      says === 'mergeable' ? [] : Array.from({ length: 99 }, () => says);
  }

  pushToTarget(title: string): void {
    this.tipSeen = this.place.pushTo('main', { [`${title}.txt`]: title }, title);
  }

  private open(
    { number, base = 'main', mergeability, conflictsWith = [] }: GivenPullRequest,
    all: readonly GivenPullRequest[],
  ): void {
    const others = all.filter((other) => other.conflictsWith?.includes(number)).map((other) => other.number);
    const contested = [...conflictsWith, ...others].map((other) => [contestedFile(number, other), `by ${number}`]);
    const files = { [fileOf(number)]: 'a', ...(Object.fromEntries(contested) as Record<string, string>) };
    this.place.openPullRequest(number, { base, files });
    if (mergeability) this.sayMergeability(number, mergeability);
  }

  private unavailable(kind: 'no_answer' | 'server_error'): HostUnavailable {
    return new HostUnavailable(this.host.host, kind, 'The host does not answer.');
  }
}

function fileOf(number: number | string): string {
  return `change-${number}.txt`;
}

/** Both write it, each in its own way. */
function contestedFile(number: number, other: Landed): string {
  return typeof other === 'string'
    ? `${other}.txt`
    : `between-${Math.min(number, other)}-${Math.max(number, other)}.txt`;
}
