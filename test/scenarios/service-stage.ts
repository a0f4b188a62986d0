import { CodeHostRegistry } from '../../src/code-hosts/code-host.registry';
import { HostInbox, type HostEvent } from '../../src/domain/code-host.port';
import { assertNever, MINUTE } from '../../src/engine/vocabulary';
import { createRepository } from '../../src/platform/auth/repositories';
import type { ApiAnswer, ApiClient } from '../support/api-client';
import type { World } from '../support/world';
import type { Targets } from './notation';
import type { Scenario } from './scenario';
import type { RowHost } from './row-host';
import { rowHostOf } from './row-hosts';
import { HostWatch, ScenarioRepository } from './service-host';
import { ServiceQueue } from './service-queue';
import type { HostDeed, Reception, ReportedState } from './story';
import type { ResolvedDeed, ScenarioWorld, Sight, Stage } from './stage';

const OWNER = 'acme';
const TARGET = 'main';

/**
 * Plays stories on the whole service, over HTTP, with PostgreSQL and the host of its world. Every row has its own
 * repository.
 */
export class ServiceStage implements Stage {
  readonly name = 'service';
  readonly host: RowHost;
  private readonly watch = new HostWatch();
  private readonly reader: Promise<ApiClient>;
  private rows = 0;

  constructor(private readonly world: World) {
    this.host = rowHostOf(world);
    this.reader = world.client('read');
  }

  async begin({ id, settings = {}, pullRequests = [] }: Scenario): Promise<ScenarioWorld> {
    const { prisma, clock, app } = this.world;
    const name = `${id.toLowerCase()}-${++this.rows}`;
    const repo = { host: this.world.repo.host, owner: OWNER, name };
    const repository = await createRepository(
      prisma,
      { organizationSlug: OWNER, ...repo },
      clock.now(),
      app.get(CodeHostRegistry).hostsIgnoringCase(),
    );
    this.watchOf(this.world);
    const place = new ScenarioRepository(this.host.createRepository(OWNER, name), this.host, pullRequests);
    this.watch.playing = place;
    const asked = asAsked({ requiredStatuses: ['ci'], ...settings });
    const queue = { repo, targetBranch: TARGET, ...this.host.settings, ...asked };
    await this.world.api.mustPost('createQueue', queue);
    const { id: queueId } = await prisma.queue.findFirstOrThrow({ where: { repositoryId: repository.id } });
    const address = { repo, targetBranch: TARGET, repositoryId: repository.id, queueId };
    const parts = { host: this.host, place, queue: new ServiceQueue(address, prisma, place) };
    const watch = (process: World): void => this.watchOf(process);
    const world = new ServiceWorld(this.world, { ...parts, reader: await this.reader, watch });
    for (const { number, targets } of pullRequests) if (targets) await world.giveTargets(number, targets);
    return world;
  }

  private watchOf({ app, repo }: World): void {
    const host = app.get(CodeHostRegistry).hostFor(repo.host);
    if (host !== undefined) this.watch.watch(host);
  }
}

interface Surroundings {
  readonly host: RowHost;
  readonly place: ScenarioRepository;
  readonly queue: ServiceQueue;
  readonly reader: ApiClient;
  /** Watches the calls of a further process to the host, too. */
  readonly watch: (process: World) => void;
}

class ServiceWorld implements ScenarioWorld {
  /** The running processes. */
  private readonly working: World[];
  private joined: World | null = null;
  private readonly submitted = new Set<number>();
  private readonly problems: string[] = [];
  private deliveries = 0;
  private isHostDown = false;
  private expectsErrors = false;

  constructor(
    private readonly first: World,
    private readonly around: Surroundings,
  ) {
    this.working = [first];
  }

  private get place(): ScenarioRepository {
    return this.around.place;
  }

  private get queue(): ServiceQueue {
    return this.around.queue;
  }

  async act(deed: ResolvedDeed): Promise<string | null> {
    switch (deed.type) {
      case 'submit':
        return this.submit(deed);
      case 'cancel':
        return this.ask('cancelPullRequest', { pr: { number: deed.number } });
      case 'restart':
        return this.ask('restartTestsOnPullRequest', { pr: { number: deed.number } });
      case 'report':
        return this.report(this.queue.commitOf(deed.run), deed.status, deed.state);
      case 'reportOnHead':
        return this.report(this.place.headOf(deed.number), deed.status, deed.state);
      case 'giveTargets':
        return this.giveTargets(deed.number, deed.targets);
      case 'changeQueue':
        return this.ask('updateQueue', asAsked(deed.change));
      case 'deleteQueue':
        return this.ask('deleteQueue', {});
      case 'letPass':
        this.first.clock.advance(deed.minutes * MINUTE);
        return null;
      case 'replaceProcess':
      case 'addProcess':
        return this.changeProcesses(deed.type);
      default:
        await this.actAtHost(deed);
        return null;
    }
  }

  async settle(): Promise<void> {
    const errors = await Promise.all(this.working.map((world) => world.settlesWithErrors()));
    if (!this.expectsErrors) this.problems.push(...errors.flat());
  }

  async see(what: 'everything' | 'runs'): Promise<Sight> {
    const { api } = this.process;
    const numbers = [...this.submitted];
    const [runs, queue, entries] = await Promise.all([
      this.queue.runs(),
      what === 'runs' ? null : this.queue.state(api),
      what === 'runs' ? null : Promise.all(numbers.map((number) => this.queue.entry(api, number))),
    ]);
    const orphans = this.isHostDown ? [] : await this.queue.orphanedBranches();
    return {
      queue,
      now: this.first.clock.now().getTime(),
      entries,
      runs,
      target: this.place.target(),
      moves: this.place.moves,
      problems: [...this.problems, ...orphans],
    };
  }

  async end(): Promise<void> {
    this.place.answerAgain();
    const left = await this.queue.activeNumbers();
    if (left.length > 0) this.first.clock.advance(10 * MINUTE);
    if (left.length > 0) await this.settle();
    for (const number of left) await this.ask('cancelPullRequest', { pr: { number } });
    if (left.length > 0) await this.settle();
    await this.joined?.close();
  }

  giveTargets(number: number, impactedTargets: Targets): Promise<string | null> {
    return this.ask('setImpactedTargets', { pr: { number }, impactedTargets });
  }

  private get process(): World {
    return this.working[0] ?? this.first;
  }

  private async ask(operation: string, more: object, api = this.process.api): Promise<string | null> {
    return codeOf(await this.queue.ask(api, operation, more));
  }

  private async submit({ number, wishes, by }: Extract<ResolvedDeed, { type: 'submit' }>): Promise<string | null> {
    const api = by === 'reader' ? this.around.reader : this.process.api;
    const code = await this.ask('submitPullRequest', { pr: { number }, ...wishes }, api);
    if (code === null) this.submitted.add(number);
    return code;
  }

  private async report(sha: string | undefined, context: string, state: ReportedState): Promise<string | null> {
    if (this.place.report !== undefined) {
      this.place.report(sha ?? '', context, state);
      return null;
    }
    const word = { running: 'pending', passed: 'success', failed: 'failure', cancelled: 'cancelled' }[state];
    return this.ask('reportStatus', { sha, context, state: word });
  }

  private async changeProcesses(how: 'replaceProcess' | 'addProcess'): Promise<null> {
    this.joined ??= await this.first.join();
    this.around.watch(this.joined);
    this.working.push(this.joined);
    if (how === 'replaceProcess') this.working.shift();
    return null;
  }

  private async actAtHost(deed: HostDeed): Promise<void> {
    const { repositoryId } = this.queue.address;
    switch (deed.type) {
      case 'turn':
        this.happens(deed.hostEvent, () => this.place.turn(deed.number, deed.into));
        if (deed.hostEvent === 'missed') return;
        await this.tell({ type: 'pull_request_changed', repositoryId, number: deed.number });
        if (deed.into === 'merged by hand') await this.tell({ type: 'branch_changed', repositoryId, branch: TARGET });
        return;
      case 'sayMergeability':
        this.place.sayMergeability(deed.number, deed.says);
        if (deed.hostEvent === 'heard')
          await this.tell({ type: 'pull_request_changed', repositoryId, number: deed.number });
        return;
      case 'pushToTarget':
        this.happens(deed.hostEvent, () => this.place.pushToTarget(deed.title));
        if (deed.hostEvent === 'heard') await this.tell({ type: 'branch_changed', repositoryId, branch: TARGET });
        return;
      case 'lookAtHost':
        return this.process.looksAtHost();
      case 'hostStopsAnswering':
        this.isHostDown = true;
        return this.place.goDown();
      case 'hostAnswersAgain':
        this.isHostDown = false;
        return this.place.answerAgain();
      case 'refuseLanding':
        return this.place.refuse(deed.number, deed.why);
      case 'breakLanding':
        this.expectsErrors = true;
        return this.place.breakLandings();
      case 'loseAnswer':
        return this.place.loseAnswerOf(deed.of);
      default:
        return assertNever(deed);
    }
  }

  private happens(reception: Reception, happen: () => void): void {
    if (reception === 'missed') this.around.host.unheard(happen);
    else happen();
  }

  private async tell(hostEvent: HostEvent): Promise<void> {
    if (this.around.host.hasWebhooks) return;
    const { host, name } = this.queue.address.repo;
    await this.process.app.get(HostInbox).append(host, `${name}-${++this.deliveries}`, hostEvent);
  }
}

function codeOf({ status, body }: ApiAnswer): string | null {
  if (status === 200) return null;
  return String((body.error as { code?: string } | undefined)?.code ?? status);
}

/** Settings in the form of the API, in which null turns a setting off or empties it. */
function asAsked(settings: object): object {
  const isNothing = (value: unknown): boolean => value === 0 || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, isNothing(value) ? null : value]));
}
