import type { NextFunction, Request, Response } from 'express';
import { setCurrentTrace } from '../requests/current-work';
import { beginRequestTrace, type RequestTrace } from '../requests/request-trace';
import type { TrackedRequest } from '../requests/tracked-request';

/** A request that was answered or aborted. */
export interface AnsweredRequest {
  readonly trace: RequestTrace;
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  /** Null: the client disconnected before the answer. */
  readonly status: number | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

interface Listener {
  now(): Date;
  answered(request: AnsweredRequest): void;
}

/**
 * Gives each request a span, and passes the requests that led to a decision to `listener`. Reads no header except
 * `traceparent`.
 */
export function traceRequests(listener: Listener) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const trace = beginRequestTrace(request.get('traceparent'));
    const startedAt = listener.now();
    setCurrentTrace(trace);
    response.once('close', () => {
      if (!trace.hasDecided || !trace.isSampled) return;
      const { method, path } = request;
      const { requestId } = request as TrackedRequest;
      const status = response.writableFinished ? response.statusCode : null;
      listener.answered({ trace, method, path, requestId, status, startedAt, endedAt: listener.now() });
    });
    next();
  };
}
