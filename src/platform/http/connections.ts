import type { Server } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Lifecycle } from '../lifecycle/lifecycle';

const HEADERS_MS = 10_000;
const SWEEP_EVERY_MS = 100;

/**
 * Lets connections be idle for so long. A load balancer that keeps them longer would send a request into one that is being closed, and
 * answer it with 502.
 */
export function keepConnections(server: Server, seconds: number): void {
  server.keepAliveTimeout = seconds * 1_000;
  // Node counts the time before the first byte of the next request, too.
  server.headersTimeout = server.keepAliveTimeout + HEADERS_MS;
}

/** While the service stops, each connection ends with its answer, so that clients go elsewhere. */
export function endConnectionsAtStop(lifecycle: Lifecycle) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    if (lifecycle.isStopping) response.setHeader('Connection', 'close');
    next();
  };
}

/** To be called before the server is closed: requests in hand are answered, and no connection stays idle after its answer. */
export function closeIdleConnections(server: Server): void {
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
  server.once('close', () => clearInterval(sweep));
  server.closeIdleConnections();
}
