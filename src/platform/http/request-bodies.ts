import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Clock } from '../clock/clock';
import { DomainError } from '../errors/domain-error';
import { sendError } from '../errors/error-body';
import { ERROR_CODES } from '../errors/error-codes';
import type { TrackedRequest } from '../requests/tracked-request';

const CHECK_EVERY_MS = 1_000;
/** The limit for the time counted between two checks, because a pause of this process is not the client's fault. */
const LONGEST_STEP_MS = 5 * CHECK_EVERY_MS;
/** How long a client may keep the service waiting. Every KB that arrives earns one second. */
const PATIENCE_MS = 60_000;
const BYTES_PER_MS = 1;
/**
 * Many clients read the answer only after they have sent the whole body, so the service also reads the rest of a
 * refused body, for at most this time.
 */
const REST_LIMIT_MS = 300_000;

interface Arriving {
  readonly response: Response;
  bytesRead: number;
  waitedMs: number;
  sinceAnswerMs: number;
}

/**
 * Watches arriving bodies, and ends a body when its client has stopped sending. Node's own limit of 300 seconds for a
 * whole request is off: that limit would end long uploads, and would let a stalled upload wait for five minutes.
 */
@Injectable()
export class RequestBodies implements OnModuleInit, OnModuleDestroy {
  private readonly arriving = new Map<IncomingMessage, Arriving>();
  private checkedAt: number;
  private timer?: NodeJS.Timeout;

  constructor(private readonly clock: Clock) {
    this.checkedAt = clock.now().getTime();
  }

  onModuleInit(): void {
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** The number of arriving bodies. */
  get count(): number {
    return this.arriving.size;
  }

  /** Middleware, to be used before all other middleware. */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    if (hasBody(request)) {
      this.arriving.set(request, { response, bytesRead: request.socket.bytesRead, waitedMs: 0, sinceAnswerMs: 0 });
      request.once('close', () => this.arriving.delete(request));
    }
    next();
  };

  /** How long the client has recently kept the service waiting. 0 when the whole body has arrived. */
  waitedMs(request: IncomingMessage): number {
    return request.complete ? 0 : (this.arriving.get(request)?.waitedMs ?? 0);
  }

  /** Answers before the body has arrived, and closes the connection. */
  cutOff(request: IncomingMessage, error: DomainError): void {
    const response = this.arriving.get(request)?.response;
    if (response === undefined || response.headersSent) return;
    response.setHeader('Connection', 'close');
    // The reader of the body must learn that nothing more follows. Node does not notify the reader after an answer.
    response.once('finish', () => request.destroy());
    sendError(response, error, (request as TrackedRequest).requestId);
  }

  check(): void {
    const now = this.clock.now().getTime();
    const elapsedMs = Math.min(now - this.checkedAt, LONGEST_STEP_MS);
    this.checkedAt = now;
    for (const [request, body] of this.arriving) {
      if (request.complete) this.arriving.delete(request);
      else if (body.response.headersSent) this.dropRest(request, body, elapsedMs);
      else this.measure(request, body, elapsedMs);
    }
  }

  private dropRest(request: IncomingMessage, body: Arriving, elapsedMs: number): void {
    body.sinceAnswerMs += elapsedMs;
    if (body.sinceAnswerMs > REST_LIMIT_MS) request.destroy();
  }

  private measure(request: IncomingMessage, body: Arriving, elapsedMs: number): void {
    const { bytesRead } = request.socket;
    // While arrived data is unread, the client waits for the service, so this time does not count.
    const waitedMs = request.readableLength > 0 ? 0 : elapsedMs;
    body.waitedMs = Math.max(0, body.waitedMs + waitedMs - (bytesRead - body.bytesRead) / BYTES_PER_MS);
    body.bytesRead = bytesRead;
    if (body.waitedMs <= PATIENCE_MS) return;
    this.cutOff(request, new DomainError('REQUEST_TIMEOUT', ERROR_CODES.REQUEST_TIMEOUT.example));
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Leaves two decisions to the service: how long a body may take, and how to answer `Expect: 100-continue`. */
export function letServiceReadBodies(server: Server): void {
  server.requestTimeout = 0;
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // The connection closes unless `inviteBody` is called, because after a refusal it is unknown whether the client
    // still sends the body.
    response.setHeader('Connection', 'close');
    server.emit('request', request, response);
  });
}

/** Tells a client that sends `Expect: 100-continue` to send the body now. */
export function inviteBody(request: Request, response: Response): void {
  if (!/\b100-continue\b/i.test(request.get('expect') ?? '')) return;
  response.removeHeader('Connection');
  response.writeContinue();
}
