import type { Change } from '../../engine/changes';
import type { Downtime, PullRequestFacts } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import type { Instant } from '../../engine/vocabulary';
import { factsIn } from '../decision-log/event-subject';
import type {
  Happening,
  OutsideEvent,
  PastDecision,
  PastEnd,
  PastHead,
  PastLanded,
  PastLanding,
  QueueHistory,
} from './history';
import type { LoggedDecision, StartingPoint } from '../decision-log/logged-decision';
import { PastRunBuilder } from './past-run-builder';
import { atOnce, type Steps } from './steps';

export type GivenTargetsThen = Omit<Extract<Happening, { type: 'targetsGiven' }>, 'rank'>;

/**
 * Facts that are not in the log. `waiting`: the submissions of the entries that are in the queue when the history
 * begins, in order.
 */
export interface BesideLog {
  readonly targets: readonly GivenTargetsThen[];
  readonly downtimes: readonly Downtime[];
  readonly waiting: readonly OutsideEvent[];
}

/** The types of changes from which a history is made. Changes of other types may be left out when the log is read. */
export const READ_CHANGES: ReadonlySet<Change['type']> = new Set<Change['type']>([
  ...(['entrySubmitted', 'entryFollowedHead', 'entryMoved', 'runStarted', 'runPushed', 'runResultReused'] as const),
  ...(['runPassed', 'runFailed', 'runSuspected', 'runLost', 'runEnded', 'landingOrdered', 'changeLanded'] as const),
  ...(['landingSettled', 'targetMoved'] as const),
]);

export const NOTHING_BESIDE: BesideLog = { targets: [], downtimes: [], waiting: [] };

/** Reads a history from the log. The first decision must have the starting point. @throws Error if it has none */
export function historyOfLog(
  decisions: readonly LoggedDecision[],
  until: Instant,
  beside: BesideLog = NOTHING_BESIDE,
): QueueHistory {
  return atOnce(readingLog(decisions, until, beside));
}

/** Like `historyOfLog`, in steps of one decision. */
export function* readingLog(
  decisions: readonly LoggedDecision[],
  until: Instant,
  beside: BesideLog,
): Steps<QueueHistory> {
  const [first] = decisions;
  if (!first?.start) throw new Error('The log does not contain the state of the queue at its beginning.');
  const reader = new LogReader(first.at, first.start, beside);
  for (const [i, decision] of decisions.entries()) {
    reader.read(decision, i + 1);
    yield;
  }
  return reader.history(until);
}

interface OpenEntry extends PastHead {
  readonly submittedAt: Instant;
}

class LogReader {
  private readonly happenings: Happening[] = [];
  private readonly runs = new Map<number, PastRunBuilder>();
  private readonly orderedLandings = new Map<number, Pick<PastLanding, 'orderedAt' | 'holds'>>();
  private readonly landings: PastLanding[] = [];
  private readonly landed: PastLanded[] = [];
  private readonly ends: PastEnd[] = [];
  private readonly decided: PastDecision[] = [];
  private readonly entries = new Map<string, OpenEntry>();
  private readonly merged = new Set<number>();
  private readonly facts = new Map<number, PullRequestFacts>();
  private epoch: number;
  private landedSeq: number;

  constructor(
    private readonly from: Instant,
    private readonly start: StartingPoint,
    private readonly beside: BesideLog,
  ) {
    this.epoch = start.epoch;
    this.landedSeq = start.landedSeq;
    for (const given of beside.targets) this.happenings.push({ ...given, at: Math.max(from, given.at), rank: 0 });
    for (const event of beside.waiting) this.happen({ type: 'event', event, at: from, rank: 0 });
  }

  read(decision: LoggedDecision, rank: number): void {
    const { event, at, changes } = decision;
    this.decided.push({ at, rank, isTick: event.type === 'clockTicked' });
    if (isOutside(event)) this.hear(event, at, rank);
    else for (const facts of factsIn(event)) this.find(facts, at, rank);
    if (event.type === 'runNotStarted') this.runs.get(event.run)?.refuse(event.because, at, rank);
    for (const change of changes) this.note(change, decision, rank);
    if (event.type === 'targetSeen' && !changes.some(isPush)) this.happenings.push({ type: 'targetSeen', at, rank });
  }

  history(until: Instant): QueueHistory {
    const { from, start, landed, ends, decided } = this;
    const happenings = this.happenings.sort((a, b) => a.at - b.at || a.rank - b.rank);
    const runs = [...this.runs.values()].map((run) => run.built(until));
    const landings = [...this.landings, ...this.landingsUnderWay(until)];
    const { downtimes } = this.beside;
    return { version: 1, from, until, start, happenings, runs, landings, landed, ends, decided, downtimes };
  }

  /**
   * Records an event from outside. After a merge of the queue, the host only reports that the pull request is closed,
   * which is no event of its own.
   */
  private hear(event: OutsideEvent, at: Instant, rank: number): void {
    const number = event.type === 'pullRequestSeen' ? event.facts.number : 'number' in event ? event.number : null;
    const isEcho = event.type === 'pullRequestSeen' || event.type === 'pullRequestGone';
    if (isEcho && number !== null && this.merged.has(number)) return;
    if (event.type === 'pullRequestSubmitted') this.merged.delete(event.facts.number);
    this.happen({ type: 'event', event, at, rank });
  }

  private happen(happening: Extract<Happening, { type: 'event' }>): void {
    for (const facts of factsIn(happening.event)) this.facts.set(facts.number, facts);
    this.happenings.push(happening);
  }

  /** Records that the queue itself found a pull request different from the last event about it. */
  private find(facts: PullRequestFacts, at: Instant, rank: number): void {
    if (this.merged.has(facts.number) || isSame(this.facts.get(facts.number), facts)) return;
    this.facts.set(facts.number, facts);
    this.happenings.push({ type: 'pullRequestChanged', facts, at, rank: rank - 0.5 });
  }

  private note(change: Change, { at, event }: LoggedDecision, rank: number): void {
    switch (change.type) {
      case 'entrySubmitted': {
        const { id, number, head, submittedAt } = change.entry;
        this.entries.set(id, { number, head, submittedAt });
        return;
      }
      case 'entryFollowedHead': {
        const entry = this.entries.get(change.entryId);
        if (entry) this.entries.set(change.entryId, { ...entry, head: change.head });
        return;
      }
      case 'entryMoved':
        return this.conclude(change);
      case 'runStarted':
        this.runs.set(change.run.number, new PastRunBuilder(change.run));
        return;
      case 'landingOrdered':
        return this.order(change.landing, at);
      case 'changeLanded': {
        const { number, head } = change.change;
        this.landed.push({ number, head, seq: ++this.landedSeq, epoch: this.epoch });
        return;
      }
      case 'landingSettled':
        return this.settle(change, event, at, rank);
      case 'targetMoved': {
        const isTold = event.type === 'targetSeen';
        if (change.epochs > 0)
          this.happenings.push({ type: 'targetPushed', isTold, at, rank: isTold ? rank : rank - 0.5 });
        this.epoch += change.epochs;
        return;
      }
      default:
        if ('run' in change && typeof change.run === 'number') this.runs.get(change.run)?.note(change, at, rank);
    }
  }

  private conclude({ entryId, to, because, at }: Extract<Change, { type: 'entryMoved' }>): void {
    const entry = this.entries.get(entryId);
    if (!isConcluded(to) || !entry) return;
    const end = to as PastEnd['end'];
    this.ends.push({ ...entry, endedAt: at, end, reason: because });
    if (end === 'merged') this.merged.add(entry.number);
  }

  private order({ number, runs, changes }: Extract<Change, { type: 'landingOrdered' }>['landing'], at: Instant): void {
    const ofRuns = runs.flatMap((run) => this.runs.get(run)?.ownHeads ?? []);
    const holds = (changes ?? ofRuns).map((held) => ({ number: held.number, head: held.head }));
    this.orderedLandings.set(number, { orderedAt: at, holds });
  }

  private landingsUnderWay(until: Instant): readonly PastLanding[] {
    return [...this.orderedLandings.values()].map(({ orderedAt, holds }) => {
      return { orderedAt, holds, toldAfter: until - orderedAt + 1, rank: 0, refused: null, isUnderWay: true };
    });
  }

  private settle(
    { landing }: Extract<Change, { type: 'landingSettled' }>,
    event: LoggedDecision['event'],
    at: Instant,
    rank: number,
  ): void {
    const ordered = this.orderedLandings.get(landing);
    if (!ordered) return;
    this.orderedLandings.delete(landing);
    const refused = event.type === 'landingRefused' ? event.because : null;
    this.landings.push({ ...ordered, toldAfter: at - ordered.orderedAt, rank, refused });
  }
}

function isPush(change: Change): boolean {
  return change.type === 'targetMoved' && change.epochs > 0;
}

const OUTSIDE: ReadonlySet<string> = new Set<OutsideEvent['type']>([
  'pullRequestSubmitted',
  'pullRequestSeen',
  'pullRequestGone',
  'cancelRequested',
  'restartRequested',
  'promotionRequested',
  'allCancelRequested',
  'targetsGiven',
  'targetsComputed',
  'settingsChanged',
]);

function isOutside(event: LoggedDecision['event']): event is OutsideEvent {
  return OUTSIDE.has(event.type);
}

function isSame(known: PullRequestFacts | undefined, facts: PullRequestFacts): boolean {
  if (known === undefined) return false;
  const { head, base, state, draft, mergeability, unmet = [] } = facts;
  return (
    known.head === head &&
    known.base === base &&
    known.state === state &&
    known.draft === draft &&
    known.mergeability === mergeability &&
    (known.unmet ?? []).length === unmet.length
  );
}
