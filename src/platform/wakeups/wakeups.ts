import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { runForNoRequest } from '../requests/request-id';

/** 'decisions': a queue decided, which is told to those who listen. */
type WakeupTopic = 'queues' | 'decisions' | 'outbox' | 'inbox' | 'checks' | 'webhooks';

/**
 * Tells the workers of this process that there is work, so that they need not wait for a tick. It is only a hint: the work
 * is in the database. A lost wake-up only delays it; a second one is harmless.
 */
@Injectable()
export class Wakeups {
  private readonly emitter = new EventEmitter();

  /** Call it after the transaction has committed. `id`: of the one queue that there is work in; absent: it may be in any. */
  wake(topic: WakeupTopic, id?: string): void {
    // Workers go on with what others asked for, too.
    runForNoRequest(() => this.emitter.emit(topic, id));
  }

  /** The listener must return at once and must not throw. Returns a function that removes it. */
  on(topic: WakeupTopic, listener: (id?: string) => void): () => void {
    this.emitter.on(topic, listener);
    return () => this.emitter.off(topic, listener);
  }
}
