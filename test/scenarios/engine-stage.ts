import type { QueueEvent } from '../../src/engine/events';
import { explain } from '../../src/engine/explain';
import type { StatusFact } from '../../src/engine/model';
import { assertNever, type EntryState, PRIORITIES } from '../../src/engine/vocabulary';
import { EngineDay } from '../support/engine-day';
import type { PullRequestDay } from '../support/engine-host';
import { EngineLog, namesOf } from './engine-log';
import type { GivenPullRequest } from './notation';
import type { Scenario } from './scenario';
import type { HostDeed, Reception, PullRequestTurn, QueueChange, ReportedState, SubmitOptions } from './story';
import type { Move, ResolvedDeed, ScenarioWorld, SeenEntry, Sight, Stage } from './stage';

/**
 * Plays a story on the engine alone. The host is a list of changes, and the story moves time. With `twice`, every
 * outcome of a command arrives twice, as after a process died between its work and the storing of the outcome.
 */
export function engineStage(answers: 'once' | 'twice' = 'once'): Stage {
  return { name: 'engine', begin: (scenario) => Promise.resolve(new EngineWorld(scenario, answers)) };
}

const FIRST_HEAD = 'a';

class EngineWorld implements ScenarioWorld {
  private readonly day: EngineDay;
  private readonly given: ReadonlyMap<number, GivenPullRequest>;
  /** The mergeability that the host answers for a pull request, by its number, where the answer is not the truth. */
  private readonly said = new Map<number, PullRequestDay['mergeability']>();
  private readonly log: EngineLog;
  private readonly moves: Move[] = [];
  private isHostDown = false;
  private answerToLose: 'start' | 'landing' | null = null;
  private processes = 1;

  constructor(
    { settings = {}, pullRequests = [] }: Scenario,
    private readonly answers: 'once' | 'twice',
  ) {
    const { mode, ...others } = settings;
    this.day = new EngineDay(others);
    this.day.knowsResults = true;
    this.log = new EngineLog(this.day);
    if (mode) this.day.happen({ type: 'settingsChanged', settings: {}, mode, actor: null });
    this.given = new Map(pullRequests.map((pullRequest) => [pullRequest.number, pullRequest]));
    for (const pullRequest of pullRequests) this.open(pullRequest, pullRequests);
  }

  act(deed: ResolvedDeed): Promise<string | null> {
    this.tellMergeability();
    return Promise.resolve(this.actNow(deed));
  }

  settle(): Promise<void> {
    for (let tick = 1; tick < this.processes; tick++) this.day.happen({ type: 'clockTicked' });
    while (this.day.hear() || this.carryOutNext()) this.tellMergeability();
    return Promise.resolve();
  }

  /** Returns everything on every call, because reads cost nothing on this stage. */
  see(): Promise<Sight> {
    this.log.read();
    const { queue, now } = this.day;
    return Promise.resolve({
      queue: queue.state,
      now,
      entries: queue.entries.map((entry): SeenEntry => ({
        number: entry.number,
        state: entry.state,
        reason: entry.stateReason,
        waitingFor: explain(queue, [{ entryId: entry.id, ahead: 0 }], now)[0]?.waitingFor ?? null,
        timeline: this.log.timelineOf(entry.id),
      })),
      runs: this.log.runs(),
      target: namesOf(this.day.target),
      moves: this.moves,
      problems: this.day.problems,
    });
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  private actNow(deed: ResolvedDeed): string | null {
    switch (deed.type) {
      case 'submit':
        return this.submit(deed.number, deed.wishes);
      case 'cancel':
        return this.day.cancel(deed.number)?.code ?? null;
      case 'restart':
        return this.day.restart(deed.number)?.code ?? null;
      case 'report':
        this.day.report(this.log.runNumbered(deed.run), heardAs(deed.state), deed.status);
        return null;
      case 'reportOnHead':
        this.day.reportOnHead(deed.number, heardAs(deed.state), deed.status);
        return null;
      case 'changeQueue':
        return this.changeQueue(deed.change);
      case 'deleteQueue':
        return this.happen({ type: 'deletionRequested', activeEntries: this.activeEntries() });
      case 'giveTargets':
        return this.day.setTargets(deed.number, deed.targets)?.code ?? null;
      case 'letPass':
        this.day.advance(deed.minutes);
        return null;
      case 'addProcess':
        this.processes += 1;
        return null;
      case 'replaceProcess':
        // The next process knows only what is stored.
        this.day.queue = structuredClone(this.day.queue);
        return null;
      default:
        this.actAtHost(deed);
        return null;
    }
  }

  private actAtHost(deed: HostDeed): void {
    switch (deed.type) {
      case 'turn':
        return this.turn(deed.number, deed.into, deed.hostEvent);
      case 'sayMergeability':
        this.said.set(deed.number, deed.says);
        return this.day.change(deed.number, { mergeability: deed.says }, deed.hostEvent);
      case 'pushToTarget':
        return this.day.pushToTarget(deed.title, deed.hostEvent);
      case 'lookAtHost':
        return this.lookAtHost();
      case 'hostStopsAnswering':
      case 'hostAnswersAgain':
        this.isHostDown = deed.type === 'hostStopsAnswering';
        this.day.queue = { ...this.day.queue, hostUnreachableSince: this.isHostDown ? this.day.now : null };
        return;
      case 'refuseLanding':
        return this.day.change(deed.number, { refusal: deed.why }, 'missed');
      case 'breakLanding':
        return this.day.change(deed.number, { refusal: 'the host answers with an error' }, 'missed');
      case 'loseAnswer':
        this.answerToLose = deed.of;
        return;
      default:
        return assertNever(deed);
    }
  }

  private open({ number, base = 'main', mergeability }: GivenPullRequest, all: readonly GivenPullRequest[]): void {
    if (mergeability) this.said.set(number, mergeability);
    const conflictsWith = [
      ...(this.given.get(number)?.conflictsWith ?? []),
      ...all.filter((other) => other.conflictsWith?.includes(number)).map((other) => other.number),
    ];
    this.day.open(number, { head: `${number}${FIRST_HEAD}`, base, conflictsWith, upTo: this.day.host.tip().commit });
    const { targets } = this.given.get(number) ?? {};
    if (targets) this.day.setTargets(number, targets);
  }

  private tellMergeability(): void {
    for (const [number, pullRequest] of this.day.host.pullRequests) {
      const fits = pullRequest.conflictsWith.every(
        (other) => !this.day.target.some((name) => name === other || name.startsWith(`${other}@`)),
      );
      pullRequest.mergeability = this.said.get(number) ?? (fits ? 'mergeable' : 'not_mergeable');
    }
  }

  private submit(number: number, { priority, noBatch }: SubmitOptions): string | null {
    const value = typeof priority === 'string' ? PRIORITIES[priority] : priority;
    const wishes = {
      ...(value === undefined ? {} : { priority: value }),
      ...(noBatch === undefined ? {} : { noBatch }),
    };
    return this.day.submit(number, wishes)?.code ?? null;
  }

  private turn(number: number, into: PullRequestTurn, hostEvent: Reception): void {
    switch (into) {
      case 'pushed to':
        return this.day.change(number, { head: nextHead(this.day.host.pullRequest(number).head) }, hostEvent);
      case 'closed':
      case 'reopened':
        return this.day.change(number, { state: into === 'closed' ? 'closed' : 'open' }, hostEvent);
      case 'merged by hand':
        this.day.change(number, { state: 'merged' }, hostEvent);
        return this.day.pushToTarget(`${number}@${this.day.host.pullRequest(number).head}`, hostEvent);
      case 'removed':
        this.day.change(number, { state: 'closed' }, 'missed');
        this.day.happen({ type: 'pullRequestGone', number, seenAt: this.day.now });
        return;
      case 'mentioned':
        return this.day.change(number, {}, 'heard');
      default:
        return assertNever(into);
    }
  }

  private lookAtHost(): void {
    for (const { number } of this.day.queue.entries) this.day.happen(this.day.host.seen(number, this.day.now));
    this.day.lookAtTarget();
  }

  private changeQueue({ mode, state, ...settings }: QueueChange): string | null {
    return this.happen({ type: 'settingsChanged', settings, mode, state, actor: 'ci' });
  }

  private happen(event: QueueEvent): string | null {
    return this.day.happen(event)?.code ?? null;
  }

  private activeEntries(): number {
    const over: readonly EntryState[] = ['merged', 'failed', 'cancelled'];
    return this.day.queue.entries.filter((entry) => !over.includes(entry.state)).length;
  }

  /**
   * Carries out the next command. If the command's answer gets lost, the outcome arrives twice, because the command is
   * carried out again.
   */
  private carryOutNext(): boolean {
    if (this.isHostDown) return false;
    const before = this.day.target;
    const heardBefore = this.day.outcomes.length;
    if (!this.day.act()) return false;
    if (this.day.target !== before) this.moves.push({ before: namesOf(before), after: namesOf(this.day.target) });
    const outcome = this.day.outcomes[heardBefore];
    const kind = outcome?.type === 'runPushed' ? 'start' : outcome?.type === 'landed' ? 'landing' : null;
    if (outcome && (this.answers === 'twice' || kind === this.answerToLose)) this.day.outcomes.push(outcome);
    if (kind === this.answerToLose) this.answerToLose = null;
    return true;
  }
}

function nextHead(head: string): string {
  return head.slice(0, -1) + String.fromCharCode(head.charCodeAt(head.length - 1) + 1);
}

function heardAs(state: ReportedState): StatusFact['state'] {
  return state === 'cancelled' ? 'lost' : state;
}
