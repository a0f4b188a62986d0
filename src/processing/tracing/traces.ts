import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { processCounter } from '../../platform/metrics/process-counter';
import type { AnsweredRequest } from '../../platform/http/trace-requests';

/** An attempt of a task of the outbox. */
export interface TriedTask {
  readonly queueId: string;
  readonly type: string;
  readonly key: string;
  /** The pull requests that the task concerns: by test runs, by entries, or by one number. */
  readonly about: TaskSubject;
  readonly host: string;
  readonly attempt: number;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Why the attempt failed; null if it succeeded. */
  readonly problem: string | null;
}

export interface TaskSubject {
  readonly run?: number;
  readonly landing?: number;
  readonly entryIds?: readonly string[];
  readonly number?: number;
}

export type WorkDone =
  { readonly type: 'request'; readonly request: AnsweredRequest } | { readonly type: 'task'; readonly task: TriedTask };

/**
 * The maximum number of spans that wait in memory while the collector is unreachable. Of more, the oldest are dropped.
 */
const WAIT_AT_MOST = 2_000;

/**
 * Keeps the work of this process that the database does not store, until it is sent as spans. While traces are off,
 * nothing is kept.
 */
@Injectable()
export class Traces {
  readonly isOn: boolean;
  private readonly dropped = processCounter(
    'sluice_trace_spans_dropped_total',
    'Spans of traces that were given up: the collector refused them, or was unreachable for too long',
  );
  private waiting: WorkDone[] = [];

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.isOn = config.traces !== undefined;
  }

  now(): Date {
    return this.clock.now();
  }

  answered(request: AnsweredRequest): void {
    this.add([{ type: 'request', request }]);
  }

  tried(task: TriedTask): void {
    this.add([{ type: 'task', task }]);
  }

  /** Takes at most `count` pieces of work, the oldest first. Call `putBack` if they cannot be sent. */
  take(count: number): WorkDone[] {
    return this.waiting.splice(0, count);
  }

  putBack(work: readonly WorkDone[]): void {
    const newer = this.waiting;
    this.waiting = [];
    this.add([...work, ...newer]);
  }

  drop(count: number): void {
    this.dropped.inc(count);
  }

  private add(work: readonly WorkDone[]): void {
    if (!this.isOn) return;
    this.waiting.push(...work);
    const tooMany = this.waiting.length - WAIT_AT_MOST;
    if (tooMany <= 0) return;
    this.waiting.splice(0, tooMany);
    this.drop(tooMany);
  }
}
