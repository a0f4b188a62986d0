import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { MemoryHost } from '../../../src/code-hosts/memory/memory-host';
import type { LandRequest, PushRequest } from '../../../src/domain/code-host.port';
import { type HostAnswer, type HostCall, ValueStream } from '../load/calls';
import { HOST, nameOf, OWNER, queueNamed } from '../load/places';
import { Dice } from '../../simulation/oracle/random';
import type { MergingService } from './merging-service';

/**
 * The longest pause of CI and teams. A pause costs no CPU. Without pauses, requests of CI and teams would always arrive
 * just when the service decides on the previous ones, which does not happen in practice.
 */
const MOST_PAUSE_MS = 100;

/**
 * Everybody around the service, in this process: the in-memory host, CI that passes every push, and teams that submit a
 * pull request when one of their pull requests has merged. The requests of CI and of the teams go to the processes of
 * the service in turn, as a load balancer would send them.
 */
export class PassingTown {
  merged = 0;
  private open = 0;
  private isSubmitting = false;
  private isClosed = false;
  private asked = 0;
  private whenEmpty: () => void = () => undefined;
  private services: readonly MergingService[] = [];
  private readonly numbers: number[];
  /**
   * Every pull request branches off the first commit of its queue's target, so that the time of a merge does not depend
   * on how many changes the target already has.
   */
  private readonly firstCommits: string[];
  private readonly dice = new Dice(1);
  private readonly host = new MemoryHost(HOST, 60, { now: () => new Date() });
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(readonly queues: number) {
    this.numbers = Array.from({ length: queues }, () => 0);
    this.firstCommits = this.numbers.map((_, queue) => this.host.repository(OWNER, nameOf(queue)).tip('main').commit);
    this.server = createServer((socket) => this.connect(socket));
  }

  static async listen(socket: string, queues: number): Promise<PassingTown> {
    const town = new PassingTown(queues);
    town.server.listen(socket);
    await once(town.server, 'listening');
    return town;
  }

  /** From now on each queue has `perQueue` open pull requests. */
  begin(services: readonly MergingService[], perQueue: number): void {
    this.services = services;
    this.isSubmitting = true;
    for (let queue = 0; queue < this.queues; queue++) for (let team = 0; team < perQueue; team++) this.submit(queue);
  }

  /** Stops submitting. Resolves when all open pull requests are merged. */
  end(): Promise<void> {
    this.isSubmitting = false;
    return new Promise((resolve) => {
      this.whenEmpty = resolve;
      if (this.open === 0) resolve();
    });
  }

  close(): void {
    this.isClosed = true;
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private connect(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    const stream = new ValueStream<HostAnswer, HostCall>(socket, ({ id, method, parameters }) => {
      this.answer(method, parameters).then(
        (result) => stream.send({ id, result }),
        (error: Error) => stream.send({ id, error: error.message }),
      );
    });
  }

  private async answer(method: string, parameters: readonly unknown[]): Promise<unknown> {
    const methods = this.host as unknown as Record<string, (...given: readonly unknown[]) => Promise<unknown>>;
    const result = await methods[method]!(...parameters);
    if (method === 'pushTestingBranch') void this.pass(parameters[0] as PushRequest);
    if (method === 'land' && (result as { type: string }).type === 'landed')
      void this.land(parameters[0] as LandRequest);
    return result;
  }

  private async pass({ repository, commit }: PushRequest): Promise<void> {
    await this.pause();
    if (this.isClosed) return;
    this.next().tell({ type: 'passed', queue: queueNamed(repository.name), commit });
  }

  private async land({ repository, pullRequests }: LandRequest): Promise<void> {
    this.merged += pullRequests.length;
    await this.pause();
    if (this.isClosed) return;
    this.open -= pullRequests.length;
    if (this.isSubmitting) pullRequests.forEach(() => this.submit(queueNamed(repository.name)));
    else if (this.open === 0) this.whenEmpty();
  }

  private submit(queue: number): void {
    const number = ++this.numbers[queue]!;
    this.host.repository(OWNER, nameOf(queue)).openPullRequest(number, { from: this.firstCommits[queue] });
    this.open++;
    this.next().tell({ type: 'submit', queue, number });
  }

  private pause(): Promise<void> {
    return after(this.dice.throw() * MOST_PAUSE_MS);
  }

  private next(): MergingService {
    return this.services[this.asked++ % this.services.length]!;
  }
}
