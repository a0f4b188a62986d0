import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

/** Everything that is called and awaited from `work` on knows the request that it is done for. */
export function runForRequest(requestId: string, work: () => void): void {
  requestIds.run(requestId, work);
}

/** The `x-request-id` of the request that is being answered; null: this is done for none. */
export function currentRequestId(): string | null {
  return requestIds.getStore() ?? null;
}

/** For work that a request sets going and that goes on without it. */
export function runForNoRequest<T>(work: () => T): T {
  return requestIds.exit(work);
}
