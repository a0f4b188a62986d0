import { createServer } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { MemoryHost } from '../../../src/code-hosts/memory/memory-host';
import type { LandRequest, PushRequest } from '../../../src/domain/code-host.port';
import { Dice } from '../../simulation/oracle/random';
import { exponential } from '../virtual/distributions';
import { type HostAnswer, type HostCall, ValueStream } from './calls';
import { HOST, nameOf, OWNER, queueOf } from './places';
import { ServiceClient } from './service-client';

export interface TownPlan {
  readonly socket: string;
  readonly urls: readonly string[];
  readonly token: string;
  readonly queues: number;
  readonly ciSeconds: number;
}

/** Figures since the last report. Each number of milliseconds is the time of a single request. */
export interface TownReport {
  readonly submitted: number;
  readonly refused: number;
  readonly merged: number;
  /** Pull requests that are submitted and not merged yet. */
  readonly open: number;
  readonly submitMs: readonly number[];
  readonly readMs: readonly number[];
  readonly reportMs: readonly number[];
  /** The first requests that failed, and so were neither accepted nor refused for a limited time. */
  readonly failures: readonly string[];
}

const READS_PER_SECOND = 10;

/**
 * Plays everybody around the service, in one process: the code host with a repository for each queue, its CI, and the
 * teams that submit pull requests. Every test passes.
 */
export class Town {
  private readonly host: MemoryHost;
  /** Teams, CI and readers have separate clients, so that they do not wait for each other's connections. */
  private readonly clients: Readonly<Record<'teams' | 'ci' | 'readers', readonly ServiceClient[]>>;
  private readonly dice = new Dice(1);
  private readonly open = new Map<string, number>();
  private readonly numbers: number[];
  private perSecond = 0;
  private arrivals = 0;
  private isOver = false;
  private report = emptyReport();

  constructor(private readonly plan: TownPlan) {
    this.host = new MemoryHost(HOST, 60, { now: () => new Date() });
    this.numbers = Array.from({ length: plan.queues }, () => 0);
    for (let queue = 0; queue < plan.queues; queue++) this.host.repository(OWNER, nameOf(queue));
    const clients = () => plan.urls.map((url) => new ServiceClient(url, plan.token));
    this.clients = { teams: clients(), ci: clients(), readers: clients() };
  }

  listen(): Promise<void> {
    const server = createServer((socket) => {
      const stream = new ValueStream<HostAnswer, HostCall>(socket, ({ id, method, parameters }) => {
        this.answer(method, parameters).then(
          (result) => stream.send({ id, result }),
          (error: Error) => stream.send({ id, error: error.message }),
        );
      });
      socket.on('error', () => undefined);
    });
    return new Promise((resolve) => server.listen(this.plan.socket, resolve));
  }

  /** From now on submits `perSecond` pull requests per second on average, at random times and to random queues. */
  submits(perSecond: number): void {
    const wasIdle = this.perSecond === 0;
    this.perSecond = perSecond;
    if (wasIdle && perSecond > 0) void this.arrive(++this.arrivals);
  }

  async lookAround(): Promise<void> {
    while (!this.isOver) {
      await after(1_000 / READS_PER_SECOND);
      void this.read();
    }
  }

  takeReport(): TownReport {
    const taken = { ...this.report, open: this.open.size };
    this.report = emptyReport();
    return taken;
  }

  private async answer(method: string, parameters: readonly unknown[]): Promise<unknown> {
    const methods = this.host as unknown as Record<string, (...given: readonly unknown[]) => Promise<unknown>>;
    const result = await methods[method]!(...parameters);
    if (method === 'pushTestingBranch') void this.test(parameters[0] as PushRequest);
    if (method === 'land' && (result as { type: string }).type === 'landed') this.landed(parameters[0] as LandRequest);
    return result;
  }

  private async test({ repository, commit }: PushRequest): Promise<void> {
    await after(this.plan.ciSeconds * 1_000 * (0.7 + 0.6 * this.dice.throw()));
    const repo = { host: HOST, owner: repository.owner, name: repository.name };
    const status = { repo, sha: commit, context: 'tests', state: 'success' };
    for (let wait = 1_000; ; wait = Math.min(30_000, 2 * wait)) {
      const answer = await this.clientOf('ci').post('reportStatus', status);
      if (answer.status !== 429 && answer.status !== 503) return this.note('reportMs', answer);
      await after(wait);
    }
  }

  private landed({ repository, pullRequests }: LandRequest): void {
    for (const { number } of pullRequests) if (this.open.delete(`${repository.name} ${number}`)) this.report.merged++;
  }

  private async arrive(of: number): Promise<void> {
    let next = performance.now();
    while (this.perSecond > 0 && of === this.arrivals) {
      next += exponential(this.dice, 1_000 / this.perSecond);
      await after(Math.max(0, next - performance.now()));
      if (this.perSecond > 0) void this.submit(this.dice.below(this.plan.queues));
    }
  }

  /** Does not retry a refused submission, because the benchmark counts accepted submissions. */
  private async submit(queue: number): Promise<void> {
    const name = nameOf(queue);
    const number = ++this.numbers[queue]!;
    this.host.repository(OWNER, name).openPullRequest(number);
    const key = `${name} ${number}`;
    this.open.set(key, performance.now());
    const answer = await this.clientOf('teams').post('submitPullRequest', { ...queueOf(queue), pr: { number } });
    if (answer.status === 200) this.report.submitted++;
    else this.open.delete(key);
    if (answer.status === 429 || answer.status === 503) this.report.refused++;
    this.note('submitMs', answer);
  }

  private async read(): Promise<void> {
    const queue = this.dice.below(this.plan.queues);
    const number = this.numbers[queue]!;
    const answer =
      number === 0 || this.dice.happens(0.5)
        ? await this.clientOf('readers').post('getQueue', queueOf(queue))
        : await this.clientOf('readers').post('getSubmittedPullRequest', { ...queueOf(queue), pr: { number } });
    // A 404 does not count: the pull request was submitted a moment ago, or was refused.
    if (answer.status !== 404) this.note('readMs', answer);
  }

  private note(of: 'submitMs' | 'readMs' | 'reportMs', answer: { status: number; text: string; ms: number }): void {
    this.report[of].push(answer.ms);
    const isExpected = [200, 429, 503].includes(answer.status);
    if (!isExpected && this.report.failures.length < 5) this.report.failures.push(`${answer.status} ${answer.text}`);
  }

  private clientOf(party: keyof typeof this.clients): ServiceClient {
    const clients = this.clients[party];
    return clients[this.dice.below(clients.length)]!;
  }
}

function emptyReport() {
  return {
    submitted: 0,
    refused: 0,
    merged: 0,
    open: 0,
    submitMs: [] as number[],
    readMs: [] as number[],
    reportMs: [] as number[],
    failures: [] as string[],
  };
}
