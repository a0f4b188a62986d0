import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import type { Lifecycle } from '../lifecycle/lifecycle';

const HEADERS_MS = 10_000;
const SWEEP_EVERY_MS = 100;

/**
 * Sets how long connections may be idle. A load balancer with a longer limit could send a request into a closing
 * connection, and would answer that request with 502.
 */
export function keepConnections(server: Server, seconds: number): void {
  server.keepAliveTimeout = seconds * 1_000;
  // Node also counts the time before the first byte of the next request.
  server.headersTimeout = server.keepAliveTimeout + HEADERS_MS;
}

/** While the service stops, every answer closes its connection, so that clients connect to another process. */
export function endConnectionsAtStop(lifecycle: Lifecycle) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    if (lifecycle.isStopping) response.setHeader('Connection', 'close');
    next();
  };
}

/**
 * Closes idle connections directly before the server closes: requests in progress are answered, and then their
 * connections close too. Browsers open connections before they need them; Node does not count such unused connections
 * as idle.
 */
@Injectable()
export class IdleConnections implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly unused = new Set<Socket>();

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onApplicationBootstrap(): void {
    this.server?.on('connection', (socket: Socket) => {
      this.unused.add(socket);
      socket.once('close', () => this.unused.delete(socket));
    });
    this.server?.on('request', ({ socket }: IncomingMessage) => this.unused.delete(socket));
  }

  beforeApplicationShutdown(): void {
    const { server } = this;
    if (!server?.listening) return;
    const close = (): void => {
      server.closeIdleConnections();
      for (const socket of this.unused) socket.destroy();
    };
    const sweep = setInterval(close, SWEEP_EVERY_MS);
    server.once('close', () => clearInterval(sweep));
    close();
  }

  /** Undefined: this application has no HTTP server. */
  private get server(): Server | undefined {
    return (this.adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined)?.getHttpServer() as
      Server | undefined;
  }
}
