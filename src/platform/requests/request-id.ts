import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestTrace } from './request-trace';

interface RequestInHand {
  readonly requestId: string;
  /** Absent: traces are off. */
  trace?: RequestTrace;
}

const requests = new AsyncLocalStorage<RequestInHand | undefined>();

/** Everything that is called and awaited from `work` on knows the request that it is done for. */
export function runForRequest(requestId: string, work: () => void): void {
  requests.run({ requestId }, work);
}

/** The `x-request-id` of the request that is being answered; null: this is done for none. */
export function currentRequestId(): string | null {
  return requests.getStore()?.requestId ?? null;
}

/** The span of the request that is being answered; null: this is done for none, or traces are off. */
export function currentTrace(): RequestTrace | null {
  return requests.getStore()?.trace ?? null;
}

/** From now on what is done for the request knows its span. */
export function setCurrentTrace(trace: RequestTrace): void {
  const request = requests.getStore();
  if (request) request.trace = trace;
}

/** For work that a request sets going and that goes on without it. */
export function runForNoRequest<T>(work: () => T): T {
  return requests.run(undefined, work);
}
