import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

export type WakeupTopic = 'queues' | 'outbox' | 'inbox' | 'checks';

/**
 * Tells the workers of this process that there is something to do, so that nobody waits for a tick. Only a hint: what
 * is to be done stands in the database, and a signal that is lost or comes twice changes nothing but the delay.
 */
@Injectable()
export class Wakeups {
  private readonly emitter = new EventEmitter();

  /** Call it after the transaction has committed. */
  wake(topic: WakeupTopic): void {
    this.emitter.emit(topic);
  }

  /** The listener must return at once and not throw. Answers a function that ends the listening. */
  on(topic: WakeupTopic, listener: () => void): () => void {
    this.emitter.on(topic, listener);
    return () => this.emitter.off(topic, listener);
  }
}
