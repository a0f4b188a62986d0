import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestTrace } from './request-trace';

/** Describes what the process works on, such as a request with its organization. Called only when a person asks. */
type Describe = () => string;

/** The request or job that the running code belongs to. */
interface Work {
  readonly describe?: Describe;
  /** Absent: the work belongs to no request. */
  readonly requestId?: string;
  /** Absent: traces are off. */
  trace?: RequestTrace;
}

/**
 * One storage holds everything, because on Node 20 and 22 every promise copies each storage in use.
 */
const works = new AsyncLocalStorage<Work>();

/** Names everything that `work` calls and awaits. */
export function runAs<T>(describe: Describe, work: () => T): T {
  return works.run({ ...works.getStore(), describe }, work);
}

/** Attaches the request to everything that `work` calls and awaits. */
export function runForRequest(requestId: string, describe: Describe, work: () => void): void {
  works.run({ requestId, describe }, work);
}

/** Runs work that a request starts but that does not belong to the request, because it continues after the answer. */
export function runForNoRequest<T>(work: () => T): T {
  return works.run({}, work);
}

/** The work of the code that is running now; null: none that has a name. */
export function currentWork(): string | null {
  return works.getStore()?.describe?.() ?? null;
}

/** The `x-request-id` of the current request; null: outside a request. */
export function currentRequestId(): string | null {
  return works.getStore()?.requestId ?? null;
}

/** The span of the current request; null: outside a request, or traces are off. */
export function currentTrace(): RequestTrace | null {
  return works.getStore()?.trace ?? null;
}

/** Sets the span of the current request. */
export function setCurrentTrace(trace: RequestTrace): void {
  const work = works.getStore();
  if (work?.requestId !== undefined) work.trace = trace;
}
