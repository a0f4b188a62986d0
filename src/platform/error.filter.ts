import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Response } from 'express';
import { ApiTokenGuard } from './auth/api-token.guard';
import { isPagePath } from './requests/open-paths';
import { DatabaseOutage } from './database/database-outage';
import type { TrackedRequest } from './requests/tracked-request';
import { classifyError, TooMuchForNow } from './errors/classify-error';
import type { DomainError } from './errors/domain-error';
import { sendError } from './errors/error-body';
import { ErrorPages } from './errors/error-pages';

const FIRST_OWN_FAULT = 500;

/** Answers every request whose handling failed with an error. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  constructor(
    private readonly tokens: ApiTokenGuard,
    private readonly outage: DatabaseOutage,
    private readonly modules: ModuleRef,
  ) {}

  async catch(failure: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<TrackedRequest>();
    const response = http.getResponse<Response>();
    const thrown = (await this.refusalOf(request)) ?? failure;
    const error = classifyError(thrown);
    const isOutage = (this.outage.isOn && error.code === 'UNAVAILABLE') || this.outage.covers(thrown);
    const isSaid = isOutage || thrown instanceof TooMuchForNow;
    if (error.status >= FIRST_OWN_FAULT && !isSaid) this.report(thrown, error, request);
    if (response.headersSent) {
      // Part of the answer has been sent already. The connection is cut, so that the client does not take that part for
      // a complete answer.
      response.destroy();
      return;
    }
    if (isPagePath(request.path)) this.modules.get(ErrorPages, { strict: false }).send(error, request, response);
    else sendError(response, error, request.requestId);
  }

  /** The router fails before any guard runs, so this filter refuses callers without a token. */
  private async refusalOf(request: TrackedRequest): Promise<unknown> {
    // During an outage callers cannot be identified.
    if (this.outage.isOn) return undefined;
    try {
      await this.tokens.authenticate(request);
      return undefined;
    } catch (refusal) {
      return refusal;
    }
  }

  private report(thrown: unknown, error: DomainError, request: TrackedRequest): void {
    const where = `${request.method} ${request.path} (request ${request.requestId}): ${error.code}`;
    this.logger.error(where, (thrown as Error | undefined)?.stack ?? String(thrown));
  }
}
