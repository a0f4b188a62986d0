import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { runForNoRequest } from '../requests/current-work';

/** 'decisions': a queue has decided, and listeners have new events. */
export type WakeupTopic = 'queues' | 'decisions' | 'outbox' | 'inbox' | 'checks' | 'webhooks';

/**
 * Notifies the workers of this process about new work, so that they need not wait for a tick. A wake-up is only a hint,
 * because the work is in the database. A lost wake-up only delays the work; an extra wake-up is harmless.
 */
@Injectable()
export class Wakeups {
  private readonly emitter = new EventEmitter();

  /**
   * Call this method after the transaction has committed. `id`: the only queue with work; absent: any queue may have
   * work.
   */
  wake(topic: WakeupTopic, id?: string): void {
    // A woken worker also carries out work of other requests, so its work is not recorded under this request's id.
    runForNoRequest(() => this.emitter.emit(topic, id));
  }

  /** The listener must return at once and must not throw. Returns a function that removes the listener. */
  on(topic: WakeupTopic, listener: (id?: string) => void): () => void {
    this.emitter.on(topic, listener);
    return () => this.emitter.off(topic, listener);
  }
}
