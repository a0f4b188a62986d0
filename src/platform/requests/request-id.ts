import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestTrace } from './request-trace';

interface CurrentRequest {
  readonly requestId: string;
  /** Absent: traces are off. */
  trace?: RequestTrace;
}

const requests = new AsyncLocalStorage<CurrentRequest | undefined>();

/** Attaches the request to everything that `work` calls and awaits. */
export function runForRequest(requestId: string, work: () => void): void {
  requests.run({ requestId }, work);
}

/** The `x-request-id` of the current request; null: outside a request. */
export function currentRequestId(): string | null {
  return requests.getStore()?.requestId ?? null;
}

/** The span of the current request; null: outside a request, or traces are off. */
export function currentTrace(): RequestTrace | null {
  return requests.getStore()?.trace ?? null;
}

/** Sets the span of the current request. */
export function setCurrentTrace(trace: RequestTrace): void {
  const request = requests.getStore();
  if (request) request.trace = trace;
}

/** Runs work that a request starts but that does not belong to the request, because it continues after the answer. */
export function runForNoRequest<T>(work: () => T): T {
  return requests.run(undefined, work);
}
