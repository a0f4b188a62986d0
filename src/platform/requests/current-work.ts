import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestTrace } from './request-trace';

/** Describes what the process works on, such as a request with its organization. Called only when a person asks. */
type Describe<Subject> = (subject: Subject) => string;

/** The request or job that the running code belongs to. */
interface Work {
  readonly describe?: () => string | null;
  /** Absent: the work belongs to no request. */
  readonly requestId?: string;
  /** Absent: traces are off. */
  trace?: RequestTrace;
}

/**
 * One storage holds everything, because on Node 20 and 22 every promise copies each storage in use.
 */
const works = new AsyncLocalStorage<Work>();

/** Names everything that `work` calls and awaits. Does not keep `subject` in memory. */
export function runAs<Subject extends object | string, T>(
  subject: Subject,
  describe: Describe<Subject>,
  work: () => T,
): T {
  return works.run({ ...works.getStore(), describe: weakly(subject, describe) }, work);
}

/** Attaches the request to everything that `work` calls and awaits. Does not keep `request` in memory. */
export function runForRequest<Request extends { readonly requestId: string }>(
  request: Request,
  describe: Describe<Request>,
  work: () => void,
): void {
  works.run({ requestId: request.requestId, describe: weakly(request, describe) }, work);
}

/**
 * Every promise holds the storage in which it was made, and caches keep promises: with a strong reference, a cached
 * answer would keep the whole request that asked for it, with its body and its parsed report. `describe` must not be
 * defined in a function that has the subject as a variable, because V8 keeps the variables of that function together.
 */
function weakly<Subject extends object | string>(subject: Subject, describe: Describe<Subject>): () => string | null {
  if (typeof subject === 'string') return describe.bind(null, subject);
  const held = new WeakRef<object>(subject);
  return () => {
    const found = held.deref();
    return found === undefined ? null : describe(found as Subject);
  };
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
