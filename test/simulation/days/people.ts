import type { QueueEvent } from '../../../src/engine/events';
import { comparePending } from '../../../src/engine/policy/order';
import { assertNever, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import { type ConfigFileDay, nameOf, type PullRequestDay, type Tree } from '../../support/engine-host';
import type { Comments } from './comments';
import { type BranchName, DAY_MINUTES, type Deed } from './plan';
import type { QueueAtWork } from './queue-at-work';
import type { Surroundings } from './surroundings';

/** How long a pull request keeps a temporary base branch. */
const ASIDE_MINUTES = 50;

/** Actions of people and their tools, at the host and through the API. */
export class People {
  private readonly pushes = new Map<number, number>();
  private readonly stackedOn = new Map<number, number>();
  private configFiles = 0;

  constructor(
    private readonly around: Surroundings,
    private readonly queues: readonly QueueAtWork[],
    private readonly comments: Comments,
  ) {}

  open(number: number): void {
    const { host } = this.queueOf('main');
    const fresh = { state: 'open', draft: false, base: 'main', mergeability: 'mergeable' } as const;
    const { code } = this.around;
    const known = { conflictsWith: code.conflictsOf(number), sameAs: code.sameAs(number) };
    host.pullRequests.set(number, { ...fresh, head: `${number}-0`, ...known, upTo: host.tip().commit });
    this.queueOf('main').tests.testHead(number, host.headTree(number));
  }

  /** People let every queue run, and the host no longer objects to pull requests. */
  goHome(): void {
    for (const queue of this.queues) {
      queue.create();
      this.ask(queue.branch, {
        type: 'settingsChanged',
        settings: { maxMergesPerHour: null },
        state: 'running',
        actor: 'ann',
      });
      for (const { number } of queue.openEntries()) {
        this.play({ type: 'mergeability', number, value: 'mergeable', atMinute: DAY_MINUTES });
        this.play({ type: 'approve', number, atMinute: DAY_MINUTES });
        this.play({ type: 'allow', number, atMinute: DAY_MINUTES });
      }
    }
    this.pushConfigFile([]);
    this.mendTargets();
  }

  /** People repair the target, because no pull request fails for its tests while the target is broken. */
  mendTargets(): void {
    for (const { host, hostEvents, branch } of this.queues) {
      if (!this.around.code.isRed(host.target)) continue;
      const name = `mends-${branch}-${host.target.length}`;
      this.around.code.repair(name, host.target);
      host.target = [...host.target, name];
      hostEvents.targetMoved();
    }
  }

  play(deed: Deed): void {
    switch (deed.type) {
      case 'submit':
        return this.submit(deed);
      case 'comment':
        return this.comments.write(deed.number);
      case 'cancel':
        return this.ask(deed.queue, { type: 'cancelRequested', number: deed.number, via: deed.via, actor: 'ann' });
      case 'restart':
        return this.ask(deed.queue, { type: 'restartRequested', number: deed.number, via: deed.via, actor: 'ann' });
      case 'promote':
        return this.ask('main', { type: 'promotionRequested', number: deed.number, actor: 'ann' });
      case 'cancelAll':
        return this.cancelAll();
      case 'push':
        return this.push(deed);
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
      case 'redirect':
        return this.redirect(deed);
      case 'changeConfig':
        return this.alter(deed.number, () => ({ file: deed.file }));
      case 'aimBack':
        return this.alter(deed.number, ({ state }) => (state === 'open' ? { base: 'main' } : {}));
      case 'mergeByHand':
        return this.mergeByHand(deed.number);
      case 'mergeElsewhere':
        return this.mergeElsewhere(deed.number);
      case 'vanish':
        return this.vanish(deed.number);
      case 'refuse':
        return this.alter(deed.number, () => ({ refusal: 'The host forbids it.' }));
      case 'forbid':
        return this.alter(deed.number, () => ({ refusal: 'A rule forbids it.', refusedBy: 'rule' }));
      case 'delay':
        return this.alter(deed.number, () => ({ notYet: 'A check runs.' }));
      case 'allow':
        return this.alter(deed.number, () => ({ refusal: undefined, refusedBy: undefined, notYet: undefined }));
      case 'withdraw':
        return this.alter(deed.number, () => ({ unmet: [{ words: 'an approval' }] }));
      case 'expectCheck':
        return this.alter(deed.number, () => ({ unmet: [{ words: 'a check', isPending: true }] }));
      case 'approve':
        return this.alter(deed.number, () => ({ unmet: [] }));
      case 'stack':
        return this.stack(deed.number, deed.on);
      case 'depend':
        return this.alter(deed.number, () => ({ dependsOn: deed.on === null ? [] : [deed.on] }));
      case 'mergeability':
        return this.alter(deed.number, () => ({ mergeability: deed.value }));
      case 'targets':
        return this.giveTargets(deed.number, deed.names);
      case 'pushToTarget':
        return this.pushToTarget(deed);
      case 'settings':
        return this.ask(deed.queue, { type: 'settingsChanged', settings: deed.settings, actor: 'ann' });
      case 'mode':
        return this.ask(deed.queue, { type: 'settingsChanged', settings: {}, mode: deed.mode, actor: 'ann' });
      case 'scheduling':
        return this.switchScheduling(deed);
      case 'state':
        return this.ask(deed.queue, { type: 'settingsChanged', settings: {}, state: deed.state, actor: 'ann' });
      case 'configFile':
        return this.pushConfigFile(deed.file);
      case 'hostOutage':
        for (const { hostEvents } of this.queues) hostEvents.beginOutage(deed.minutes * MINUTE);
        return;
      case 'stopService':
        return this.around.life.stopFor(deed.minutes * MINUTE);
      case 'deleteQueue':
        return this.around.life.whenUp(() => this.queueOf(deed.queue).delete());
      case 'createQueue':
        return this.around.life.whenUp(() => this.queueOf(deed.queue).create());
      default:
        return assertNever(deed);
    }
  }

  private submit(deed: Extract<Deed, { type: 'submit' }>): void {
    const { number, via, priority, noBatch, dryRun } = deed;
    const { host, store, hostEvents } = this.queueOf(deed.queue);
    // People try again when the service does not answer, or when its API reports that the host does not answer.
    if (this.around.life.isDown) return this.around.life.whenUp(() => this.submit(deed));
    if (hostEvents.isHostDown)
      return this.around.time.at(hostEvents.outageEnds + number * SECOND, () => this.submit(deed));
    const facts = host.facts(number, this.around.time.now);
    const { contains: commits } = host.pullRequest(number);
    const hasTargets = store.targets.has(number, facts.head);
    const wishes = {
      ...(priority === undefined ? {} : { priority }),
      ...(noBatch === undefined ? {} : { noBatch }),
      ...(dryRun && { dryRun }),
    };
    const newEntryId = `entry-${number}`;
    this.around.authority.submitted(facts);
    this.ask(deed.queue, {
      type: 'pullRequestSubmitted',
      newEntryId,
      facts,
      commits,
      hasTargets,
      via,
      actor: 'ann',
      ...wishes,
    });
  }

  private switchScheduling({ queue, scheduling }: Extract<Deed, { type: 'scheduling' }>): void {
    const isFlow = scheduling === 'flow';
    const settings = { scheduling, ...(isFlow && { canOptimisticallyMerge: true }) };
    this.ask(queue, { type: 'settingsChanged', settings, ...(isFlow && { mode: 'single' }), actor: 'ann' });
  }

  /** Cancels a few entries at a time, from the back of the queue, as the service does. */
  private cancelAll(): void {
    const numbers = this.queueOf('main')
      .openEntries()
      .toSorted((a, b) => comparePending(b, a))
      .map(({ number }) => number);
    for (let i = 0; i < numbers.length; i += 5)
      this.ask('main', { type: 'allCancelRequested', numbers: numbers.slice(i, i + 5), actor: 'ann' });
  }

  private push({ number, upToDate, byStranger = false }: Extract<Deed, { type: 'push' }>): void {
    const { state, upTo } = this.pullRequest(number);
    const { host } = this.queueOf(this.baseOf(number));
    if (state !== 'open') return;
    const count = (this.pushes.get(number) ?? 0) + 1;
    this.pushes.set(number, count);
    const head = `${number}-${count}`;
    this.giveTargetsOf(number, head);
    if (!byStranger) this.around.authority.pushedByWriter({ number, head });
    this.around.heads.pushed(number, this.around.time.now);
    const pushedByStranger = byStranger ? true : undefined;
    const contains = this.containedBy(number, upToDate);
    this.alter(number, () => ({ pushedByStranger, head, contains, upTo: upToDate ? host.tip().commit : upTo }));
    this.queueOf(this.baseOf(number)).tests.testHead(number, this.headTree(number));
  }

  /**
   * The tree of the head. A head that was brought up to date with a branch keeps its tree when its pull request gets
   * another base branch.
   */
  private headTree(number: number): Tree {
    const { upTo } = this.pullRequest(number);
    const from = this.queues.find(({ host }) => upTo !== undefined && host.hasBeenAt(upTo));
    return (from ?? this.queueOf(this.baseOf(number))).host.headTree(number);
  }

  private stack(number: number, on: number): void {
    // The pull request `on` may be missing in a day that was made smaller.
    const isThere = this.around.pullRequests.has(on);
    if (!isThere || on === number || this.chainBelow(on).includes(number)) return;
    this.stackedOn.set(number, on);
    this.alter(number, () => ({ contains: this.containedBy(number, true) }));
  }

  /**
   * The heads that the pull request contains. If the push brings the head up to date, the head is on top of the present
   * head of its parent. Otherwise the push only adds a commit.
   */
  private containedBy(number: number, upToDate: boolean): readonly string[] {
    const { contains = [], head } = this.pullRequest(number);
    if (!upToDate) return [...contains, head];
    return this.chainBelow(number).flatMap((other) => {
      const below = this.pullRequest(other);
      return [below.head, ...(below.contains ?? [])];
    });
  }

  private chainBelow(number: number): readonly number[] {
    const below = this.stackedOn.get(number);
    return below === undefined ? [] : [below, ...this.chainBelow(below)];
  }

  /** The build tool computes the same targets for the new head, usually before the queue needs them. */
  private giveTargetsOf(number: number, head: string): void {
    for (const { store } of this.queues) {
      const known = store.targets.of(number, this.pullRequest(number).head);
      if (known !== undefined && this.around.time.minute % 1 < 0.8) store.giveTargets(number, head, known);
    }
  }

  private giveTargets(number: number, names: readonly string[] | 'ALL'): void {
    if (this.around.life.isDown) return this.around.life.whenUp(() => this.giveTargets(number, names));
    const { head } = this.pullRequest(number);
    for (const { store, branch } of this.queues) {
      store.giveTargets(number, head, names === 'ALL' ? names : new Set(names));
      if (store.entryOf(number)) this.ask(branch, { type: 'targetsGiven', number, head });
    }
  }

  private mergeByHand(number: number): void {
    const { host, hostEvents } = this.queueOf('main');
    const { head, state, base, conflictsWith } = host.pullRequest(number);
    const tree = [...host.target, nameOf({ number, head })];
    const conflicts = host.target.some((name) =>
      conflictsWith.some((other) => name === other || name.startsWith(`${other}@`)),
    );
    if (state !== 'open' || base !== 'main' || conflicts || this.around.code.isRed(tree)) return;
    host.target = tree;
    hostEvents.targetMoved();
    this.alter(number, () => ({ state: 'merged' }));
  }

  private mergeElsewhere(number: number): void {
    const { head, state } = this.pullRequest(number);
    if (state !== 'open') return;
    const { host, hostEvents } = this.queueOf('release');
    host.target = [...host.target, nameOf({ number, head })];
    hostEvents.targetMoved();
    this.alter(number, () => ({ base: 'release', state: 'merged' }));
  }

  /**
   * Somebody changes the base branch of the pull request and, some time later, changes it back. The first change causes
   * no host event.
   */
  turnAside(number: number): void {
    const pullRequest = this.pullRequest(number);
    const { base, state } = pullRequest;
    if (state !== 'open') return;
    pullRequest.base = base === 'main' ? 'release' : 'main';
    this.around.time.in(ASIDE_MINUTES * MINUTE, () =>
      this.alter(number, ({ state }) => (state === 'open' ? { base } : {})),
    );
  }

  /** Usually somebody submits the pull request to the new queue, too. */
  private redirect({ number, queue, ...deed }: Extract<Deed, { type: 'redirect' }>): void {
    this.alter(number, ({ state }) => (state === 'open' ? { base: queue } : {}));
    if (deed.isSubmitted) this.submit({ ...deed, type: 'submit', number, queue, via: 'user' });
  }

  private vanish(number: number): void {
    if (this.pullRequest(number).state !== 'open') return;
    this.pullRequest(number).state = 'closed';
    for (const { hostEvents } of this.queues) hostEvents.pullRequestGone(number);
  }

  private pushToTarget({ name, effect }: Extract<Deed, { type: 'pushToTarget' }>): void {
    const { host, hostEvents } = this.queueOf('main');
    if (effect === 'harmful') this.around.code.harm(name);
    if (effect === 'repair') this.around.code.repair(name, host.target);
    host.target = [...host.target, name];
    hostEvents.targetMoved();
  }

  /** Pushes the configuration file to each target that does not have this content yet. */
  private pushConfigFile(file: ConfigFileDay): void {
    const name = `config-${++this.configFiles}`;
    for (const { host, hostEvents } of this.queues) {
      if (String(host.fileIn(host.target)) === String(file)) continue;
      host.pushedFiles.set(name, file);
      host.target = [...host.target, name];
      hostEvents.targetMoved();
    }
  }

  private alter(number: number, change: (now: PullRequestDay) => Partial<PullRequestDay>): void {
    const pullRequest = this.pullRequest(number);
    const changed = change(pullRequest);
    if (Object.keys(changed).length === 0 || pullRequest.state === 'merged') return;
    Object.assign(pullRequest, changed);
    for (const { hostEvents } of this.queues) hostEvents.pullRequestChanged(number);
  }

  /** Sends a request through the API. While the service is down, people retry. */
  private ask(branch: string | undefined, event: QueueEvent): void {
    this.around.life.whenUp(() => this.queueOf(branch).tell(event));
  }

  private queueOf(branch: string = 'main'): QueueAtWork {
    return this.queues.find((queue) => queue.branch === branch)!;
  }

  private pullRequest(number: number): PullRequestDay {
    return this.queueOf('main').host.pullRequest(number);
  }

  private baseOf(number: number): BranchName {
    return this.pullRequest(number).base === 'release' ? 'release' : 'main';
  }
}
