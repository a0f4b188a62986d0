import { Injectable } from '@nestjs/common';
import type { HostRepository } from '../../domain/code-host.port';
import { type Command, commandKey } from '../../engine/commands';
import { runForNoRequest } from '../../platform/requests/current-work';
import type { Reservation } from '../../platform/lifecycle/work-pool';
import type { AppendedTask, AppendLease } from './append-tasks';
import type { LeasedTask } from './outbox.store';

export type { LeasedTask } from './outbox.store';

interface TaskWorker {
  reserve(): Reservation<LeasedTask>;
  lease(): Omit<AppendLease, 'most'>;
}

/**
 * Lets the worker of this process carry out tasks that a decision appends, as if it had claimed them. If the process
 * dies before that, other processes take the tasks over when the lease ends, as with claimed tasks.
 */
@Injectable()
export class TaskHandover {
  private worker: TaskWorker | null = null;

  /** Registers the worker that receives tasks. */
  offer(worker: TaskWorker): void {
    this.worker = worker;
  }

  /** Opens a handover for one transaction. Call `end` of the handover, whether the transaction was committed or not. */
  open(): Handover {
    return new Handover(this.worker);
  }
}

export class Handover {
  private readonly reservation: Reservation<LeasedTask> | null;

  constructor(private readonly worker: TaskWorker | null) {
    this.reservation = worker?.reserve() ?? null;
  }

  /** The lease for at most `most` tasks that are appended. */
  lease(most: number): AppendLease | undefined {
    if (this.worker === null || this.reservation === null) return undefined;
    return { most: this.reservation.keep(most), ...this.worker.lease() };
  }

  /** Carries out the leased tasks. Call this once the tasks are committed. */
  carryOut(tasks: readonly LeasedTask[]): void {
    // The work pool also carries out tasks of other requests, which must not carry the id of this request.
    runForNoRequest(() => this.reservation?.carryOut(tasks));
  }

  end(): void {
    this.reservation?.end();
  }
}

interface Queue {
  readonly id: string;
  readonly branch: string;
  readonly repository: HostRepository;
}

/** The appended commands that were leased, in the form of a claim. */
export function leasedWhenAppended(
  { id: queueId, branch: targetBranch, repository }: Queue,
  commands: readonly Command[],
  appended: readonly AppendedTask[],
  { leasedBy }: AppendLease,
): readonly LeasedTask[] {
  const leased = new Map(appended.flatMap((task) => (task.state === 'leased' ? [[task.key, task]] : [])));
  return commands.flatMap((command): readonly LeasedTask[] => {
    const task = leased.get(commandKey(queueId, command));
    if (task === undefined) return [];
    const { key, generation } = task;
    const fresh = { notes: null, generation, attempts: 1, answers: 0, firstFailedAt: null };
    return [
      { id: BigInt(task.id), key, queueId, type: command.type, command, targetBranch, repository, leasedBy, ...fresh },
    ];
  });
}
