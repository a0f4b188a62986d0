import { SetMetadata } from '@nestjs/common';
import { type DiscoveryService, type MetadataScanner } from '@nestjs/core';
import type { QueueEvent, QueueEventOf, QueueEventType } from './queue-event';

const LISTENS_TO = Symbol('OnQueueChange');
const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,99}$/;

interface Listening {
  readonly type: QueueEventType;
  readonly listener: string;
}

/** A method that `@OnQueueChange` marks, bound to the instance of its provider. */
export interface QueueListener extends Listening {
  readonly handle: (event: QueueEvent) => unknown;
}

/** Accepts methods with the event as their parameter, or without parameters. */
type HandlerDecorator<T extends QueueEventType> = <H extends (event: QueueEventOf<T>) => Promise<void> | void>(
  target: object,
  key: string | symbol,
  method: TypedPropertyDescriptor<H>,
) => void;

/**
 * Marks a method of a provider as listener. The service calls it with every event of that type of every queue, after
 * the commit, at least once, and in the order of the queue's log. An event is delivered when the method resolves. If
 * the method throws, this listener receives no further events of that queue until the same event is delivered again and
 * succeeds. `listener` is the name of the cursor in the database: a new name receives only events from now on.
 */
export function OnQueueChange<T extends QueueEventType>(
  type: T,
  { listener }: { readonly listener: string },
): HandlerDecorator<T> {
  if (!NAME_PATTERN.test(listener)) {
    throw new TypeError(
      `The listener ${JSON.stringify(listener)} must be 1 to 100 lower-case letters, digits, dots, hyphens and _, a letter or digit first.`,
    );
  }
  return SetMetadata(LISTENS_TO, { type, listener } satisfies Listening);
}

/** Every marked method. Throws when two listeners have the same name, or when a method has no single instance. */
export function findListeners(discovery: DiscoveryService, scanner: MetadataScanner): QueueListener[] {
  const found = new Map<string, QueueListener & { readonly instance: object; readonly where: string }>();
  for (const wrapper of [...discovery.getProviders(), ...discovery.getControllers()]) {
    const { metatype } = wrapper;
    if (typeof metatype !== 'function' || typeof metatype.prototype !== 'object') continue;
    const prototype = metatype.prototype as Record<string, unknown>;
    for (const key of scanner.getAllMethodNames(prototype)) {
      const listening = Reflect.getMetadata(LISTENS_TO, prototype[key] as object) as Listening | undefined;
      if (listening === undefined) continue;
      const where = `${metatype.name}.${key}`;
      if (!wrapper.isDependencyTreeStatic()) {
        throw new Error(
          `${where} listens to queues, but is created again for each request; its provider must be a singleton.`,
        );
      }
      const instance = wrapper.instance as Record<string, (event: QueueEvent) => unknown>;
      const other = found.get(listening.listener);
      if (other && (other.instance !== instance || other.where !== where)) {
        throw new Error(
          `${other.where} and ${where} are both the listener ${listening.listener}; each needs a name of its own.`,
        );
      }
      found.set(listening.listener, { ...listening, instance, where, handle: (event) => instance[key]!(event) });
    }
  }
  return [...found.values()];
}
