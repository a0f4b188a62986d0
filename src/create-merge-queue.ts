import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module';
import type { Config } from './platform/config/config';
import { PUBLIC_PATH, publicPathOf } from './platform/http/public-path';
import { endConnectionsAtStop, keepConnections } from './platform/http/connections';
import { letServiceReadBodies, RequestBodies } from './platform/http/request-bodies';
import { logRequests } from './platform/http/request-log';
import { measureRequests } from './platform/http/request-metrics';
import { traceRequests } from './platform/http/trace-requests';
import { trackRequest } from './platform/requests/tracked-request';
import { Lifecycle } from './platform/lifecycle/lifecycle';
import { createLogger, logDestination } from './platform/logging/logger';
import { serveOpenApi } from './platform/openapi/serve-openapi';
import { contentPolicy } from './platform/http/content-policy';
import { Traces } from './processing/tracing/traces';
import { leadBrowsersToPages } from './ui/browser-paths';

export interface MergeQueueOptions {
  /** The configuration, which must contain the URL of a migrated database. */
  readonly config: Config;
  /**
   * Nest modules of other teams. Guards, error bodies, validation and API documentation also cover the routes of these
   * modules.
   */
  readonly extensions?: readonly Type[];
  /** `off`: the service answers requests and runs no background job, for commands that only read. */
  readonly background?: 'on' | 'off';
}

const OUTSIDE_THE_PREFIX = [
  'healthz',
  'readyz',
  'metrics',
  'metrics/queues',
  'metrics/tests',
  'webhooks/{*path}',
  'ui',
  'ui/{*path}',
];

/** The whole service as an application that is not yet initialized: call `init()` or `listen()`. */
export async function createMergeQueue(options: MergeQueueOptions): Promise<INestApplication> {
  const { config, extensions, background } = options;
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config, extensions, background), {
    bodyParser: false, // BodyGuard reads bodies
    logger: createLogger(config.logLevel, logDestination(config)),
    abortOnError: false,
  });
  return configureMergeQueue(app, config);
}

/** Sets up an application that was made from AppModule. Exported for tests that replace providers. */
export function configureMergeQueue(app: NestExpressApplication, config: Config): INestApplication {
  app.setGlobalPrefix('v1', { exclude: OUTSIDE_THE_PREFIX });
  app.disable('etag');
  app.set('trust proxy', config.trustProxy);
  app.set(PUBLIC_PATH, publicPathOf(config.publicUrl));
  letServiceReadBodies(app.getHttpServer());
  keepConnections(app.getHttpServer(), config.keepAliveSeconds);
  app.use(endConnectionsAtStop(app.get(Lifecycle)));
  app.use(trackRequest, app.get(RequestBodies).watch, logRequests, measureRequests);
  if (config.traces) app.use(traceRequests(app.get(Traces)));
  app.use(contentPolicy, leadBrowsersToPages);
  serveOpenApi(app, config.publicUrl);
  return app;
}
