import { type CodeHost, HostUnavailable } from '../../src/domain/code-host.port';
import { assertNever, type Mergeability } from '../../src/engine/vocabulary';
import type { GivenPullRequest, Landed } from './notation';
import type { RowHost, RowPlace } from './row-host';
import type { PullRequestTurn, ReportedState } from './story';
import type { Move } from './stage';

type Call = 'pushTestingBranch' | 'land';

const WATCHED = Symbol('watched');

/**
 * Calls the player of the present row before every landing at the host, and after every push and landing. All rows of a
 * service share one watch.
 */
export class HostWatch {
  playing: { beforeLanding(): void; afterCall(call: Call): void } | null = null;

  /** Watches the calls of a process to its host. Several processes may share one host. */
  watch(host: CodeHost & { [WATCHED]?: true }): void {
    if (host[WATCHED] === true) return;
    host[WATCHED] = true;
    const [push, land] = [host.pushTestingBranch.bind(host), host.land.bind(host)];
    host.pushTestingBranch = async (request) => {
      const answer = await push(request);
      this.playing?.afterCall('pushTestingBranch');
      return answer;
    };
    host.land = async (request) => {
      this.playing?.beforeLanding();
      const answer = await land(request);
      this.playing?.afterCall('land');
      return answer;
    };
  }
}

/** The repository of one scenario: the actions of people in it, and the state that they see. */
export class ScenarioRepository {
  readonly moves: Move[] = [];
  private readonly names = new Map<string, string>();
  private tipSeen: string;
  private answerToLose: Call | null = null;
  private isLandingBroken = false;

  constructor(
    private readonly place: RowPlace,
    private readonly host: RowHost,
    given: readonly GivenPullRequest[],
  ) {
    place.setBranch('release', place.tip('main'));
    for (const pullRequest of given) this.open(pullRequest, given);
    this.tipSeen = place.tip('main');
  }

  beforeLanding(): void {
    if (this.isLandingBroken) throw unavailable('server_error');
  }

  afterCall(call: Call): void {
    const commit = this.place.tip('main');
    if (commit !== this.tipSeen) this.moves.push({ before: this.namesAt(this.tipSeen), after: this.namesAt(commit) });
    this.tipSeen = commit;
    if (this.answerToLose !== call) return;
    this.answerToLose = null;
    throw unavailable('no_answer');
  }

  loseAnswerOf(task: 'start' | 'landing'): void {
    this.answerToLose = task === 'start' ? 'pushTestingBranch' : 'land';
  }

  breakLandings(): void {
    this.isLandingBroken = true;
  }

  refuse(number: number, why: string): void {
    this.place.refuse(number, why);
  }

  goDown(): void {
    this.host.goDown();
  }

  answerAgain(): void {
    this.host.recover();
  }

  headOf(number: number): string {
    return this.place.headOf(number);
  }

  /** Reports a status to the host. Undefined if CI reports to the service itself. */
  get report(): ((commit: string, status: string, state: ReportedState) => void) | undefined {
    return this.place.report;
  }

  target(): readonly string[] {
    return this.namesAt(this.place.tip('main'));
  }

  testingBranches(): readonly string[] {
    return this.place.branches().filter((branch) => branch.startsWith('sluice-merge/'));
  }

  /**
   * The changes of a commit after the target's first commit, the oldest first: `1@a` is pull request 1 at its first
   * head.
   */
  namesAt(commit: string): readonly string[] {
    if (commit === '') return [];
    return this.place.past(commit).flatMap(({ commit: at, title }) => {
      // A test of the target alone only adds a commit without a change.
      if (/^Test \S+ as it is$/.test(title)) return [];
      const name = this.names.get(at) ?? this.nameOf(at, title);
      this.names.set(at, name);
      return [name];
    });
  }

  turn(number: number, into: PullRequestTurn): void {
    switch (into) {
      case 'pushed to': {
        const letter = this.place.contentOf(this.headOf(number), fileOf(number)) ?? 'a';
        this.place.push(number, { [fileOf(number)]: String.fromCharCode(letter.charCodeAt(0) + 1) });
        return;
      }
      case 'closed':
        return this.place.close(number);
      case 'reopened':
        return this.place.reopen(number);
      case 'merged by hand':
        this.place.merge(number);
        this.tipSeen = this.place.tip('main');
        return;
      case 'removed':
        return this.place.remove(number);
      case 'mentioned':
        return this.place.mention(number);
      default:
        assertNever(into);
    }
  }

  sayMergeability(number: number, says: Mergeability): void {
    this.place.sayMergeability(number, says);
  }

  pushToTarget(title: string): void {
    this.place.pushTo('main', { [`${title}.txt`]: title }, title);
    this.tipSeen = this.place.tip('main');
  }

  private nameOf(commit: string, title: string): string {
    const number = /(?:#|^Change )(\d+)/.exec(title)?.[1];
    return number === undefined ? title : `${number}@${this.place.contentOf(commit, fileOf(number))}`;
  }

  private open(
    { number, base = 'main', mergeability, conflictsWith = [] }: GivenPullRequest,
    all: readonly GivenPullRequest[],
  ): void {
    const others = all.filter((other) => other.conflictsWith?.includes(number)).map((other) => other.number);
    const contested = [...conflictsWith, ...others].map((other) => [contestedFile(number, other), `by ${number}`]);
    const files = { [fileOf(number)]: 'a', ...(Object.fromEntries(contested) as Record<string, string>) };
    this.place.open({ number, base, files });
    if (mergeability) this.sayMergeability(number, mergeability);
  }
}

function unavailable(kind: 'no_answer' | 'server_error'): HostUnavailable {
  return new HostUnavailable('host.example', kind, 'The host does not answer.');
}

function fileOf(number: number | string): string {
  return `change-${number}.txt`;
}

/** A file that two pull requests write with different content, so that they conflict. */
function contestedFile(number: number, other: Landed): string {
  return typeof other === 'string'
    ? `${other}.txt`
    : `between-${Math.min(number, other)}-${Math.max(number, other)}.txt`;
}
