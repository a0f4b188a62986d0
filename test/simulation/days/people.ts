import type { QueueEvent } from '../../../src/engine/events';
import { assertNever, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import { type EngineHost, nameOf, type PullRequestDay } from '../../support/engine-host';
import type { EngineStore } from '../../support/engine-store';
import type { CodeWorld } from './code-world';
import type { HostEvents } from './host-events';
import type { Deed } from './plan';
import type { Time } from './time';

/** What people and their tools do, at the host and through the interface. */
export class People {
  private readonly pushes = new Map<number, number>();

  constructor(
    private readonly time: Time,
    private readonly host: EngineHost,
    private readonly store: EngineStore,
    private readonly code: CodeWorld,
    private readonly hostEvents: HostEvents,
    private readonly tell: (event: QueueEvent) => void,
    /** A pull request has a new head, which CI tests by itself. */
    private readonly pushed: (number: number) => void,
  ) {}

  open(number: number): void {
    const fresh = { state: 'open', draft: false, base: 'main', mergeability: 'mergeable' } as const;
    const conflictsWith = this.code.conflictsOf(number);
    this.host.pullRequests.set(number, { ...fresh, head: `${number}-0`, conflictsWith, upTo: this.host.tip().commit });
    this.pushed(number);
  }

  play(deed: Deed): void {
    switch (deed.type) {
      case 'submit':
        return this.submit(deed);
      case 'cancel':
        return this.tell({ type: 'cancelRequested', number: deed.number, via: deed.via, actor: 'ann' });
      case 'restart':
        return this.tell({ type: 'restartRequested', number: deed.number, via: deed.via, actor: 'ann' });
      case 'push':
        return this.push(deed.number, deed.upToDate);
      case 'close':
        return this.alter(deed.number, ({ state }) => (state === 'open' ? { state: 'closed' } : {}));
      case 'reopen':
        return this.alter(deed.number, ({ state }) => (state === 'closed' ? { state: 'open' } : {}));
      case 'draft':
        return this.alter(deed.number, () => ({ draft: true }));
      case 'undraft':
        return this.alter(deed.number, () => ({ draft: false }));
      case 'aimElsewhere':
        return this.alter(deed.number, ({ state }) => (state === 'open' ? { base: 'release' } : {}));
      case 'aimBack':
        return this.alter(deed.number, ({ state }) => (state === 'open' ? { base: 'main' } : {}));
      case 'mergeByHand':
        return this.mergeByHand(deed.number);
      case 'mergeElsewhere':
        return this.alter(deed.number, ({ state }) => (state === 'open' ? { base: 'release', state: 'merged' } : {}));
      case 'vanish':
        return this.vanish(deed.number);
      case 'refuse':
        return this.alter(deed.number, () => ({ refusal: 'The host forbids it.' }));
      case 'allow':
        return this.alter(deed.number, () => ({ refusal: undefined }));
      case 'mergeability':
        return this.alter(deed.number, () => ({ mergeability: deed.value }));
      case 'targets':
        return this.giveTargets(deed.number, deed.names);
      case 'pushToTarget':
        return this.pushToTarget(deed);
      case 'settings':
        return this.tell({ type: 'settingsChanged', settings: deed.settings, actor: 'ann' });
      case 'mode':
        return this.tell({ type: 'settingsChanged', settings: {}, mode: deed.mode, actor: 'ann' });
      case 'state':
        return this.tell({ type: 'settingsChanged', settings: {}, state: deed.state, actor: 'ann' });
      case 'configFile':
        this.host.statusesInFile = deed.statuses;
        return;
      case 'hostOutage':
        return this.hostEvents.beginOutage(deed.minutes * MINUTE);
      default:
        return assertNever(deed);
    }
  }

  private submit(deed: Extract<Deed, { type: 'submit' }>): void {
    const { number, via, priority, noBatch } = deed;
    // The interface answers that the host does not: they try again.
    if (this.hostEvents.isHostDown)
      return this.time.at(this.hostEvents.outageEnds + number * SECOND, () => this.submit(deed));
    const facts = this.host.facts(number, this.time.now);
    const hasTargets = this.store.targets.has(number, facts.head);
    const wishes = { ...(priority === undefined ? {} : { priority }), ...(noBatch === undefined ? {} : { noBatch }) };
    const newEntryId = `entry-${number}`;
    this.tell({ type: 'pullRequestSubmitted', newEntryId, facts, hasTargets, via, actor: 'ann', ...wishes });
  }

  private push(number: number, upToDate: boolean): void {
    const { state, upTo } = this.host.pullRequest(number);
    if (state !== 'open') return;
    const count = (this.pushes.get(number) ?? 0) + 1;
    this.pushes.set(number, count);
    const head = `${number}-${count}`;
    this.giveTargetsOf(number, head);
    this.alter(number, () => ({ head, upTo: upToDate ? this.host.tip().commit : upTo }));
    this.pushed(number);
  }

  /** The build tool names the same targets for the new head, mostly before anybody asks. */
  private giveTargetsOf(number: number, head: string): void {
    const known = this.store.targets.of(number, this.host.pullRequest(number).head);
    if (known !== undefined && this.time.minute % 1 < 0.8) this.store.giveTargets(number, head, known);
  }

  private giveTargets(number: number, names: readonly string[] | 'ALL'): void {
    const { head } = this.host.pullRequest(number);
    this.store.giveTargets(number, head, names === 'ALL' ? names : new Set(names));
    if (this.store.entryOf(number)) this.tell({ type: 'targetsGiven', number, head });
  }

  private mergeByHand(number: number): void {
    const { head, state, base, conflictsWith } = this.host.pullRequest(number);
    const tree = [...this.host.target, nameOf({ number, head })];
    const conflicts = this.host.target.some((name) =>
      conflictsWith.some((other) => name === other || name.startsWith(`${other}@`)),
    );
    if (state !== 'open' || base !== 'main' || conflicts || this.code.isRed(tree)) return;
    this.host.target = tree;
    this.hostEvents.targetMoved();
    this.alter(number, () => ({ state: 'merged' }));
  }

  private vanish(number: number): void {
    if (this.host.pullRequest(number).state !== 'open') return;
    this.host.pullRequest(number).state = 'closed';
    this.hostEvents.pullRequestGone(number);
  }

  private pushToTarget({ name, effect }: Extract<Deed, { type: 'pushToTarget' }>): void {
    if (effect === 'harmful') this.code.harm(name);
    if (effect === 'repair') this.code.repair(name, this.host.target);
    this.host.target = [...this.host.target, name];
    this.hostEvents.targetMoved();
  }

  private alter(number: number, change: (now: PullRequestDay) => Partial<PullRequestDay>): void {
    const pullRequest = this.host.pullRequest(number);
    const changed = change(pullRequest);
    if (Object.keys(changed).length === 0 || pullRequest.state === 'merged') return;
    Object.assign(pullRequest, changed);
    this.hostEvents.pullRequestChanged(number);
  }
}
