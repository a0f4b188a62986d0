import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { clearSessionCookie } from '../platform/auth/session-cookie';
import { Config } from '../platform/config/config';
import type { DomainError } from '../platform/errors/domain-error';
import { ErrorPages } from '../platform/errors/error-pages';
import { seeOther } from '../platform/http/see-other';
import type { TrackedRequest } from '../platform/requests/tracked-request';
import { errorPage } from './pages/error.view';
import { signInPath } from './pages/sign-in/return-path';
import { asPage } from './send-page';
import { visitOf } from './visit';

/**
 * Shows errors as pages. A person without a session is redirected to sign-in, and returns to the requested page
 * afterwards.
 */
@Injectable()
export class PageErrors extends ErrorPages {
  constructor(private readonly config: Config) {
    super();
  }

  send(error: DomainError, request: TrackedRequest, response: Response): void {
    if (error.code === 'AUTHENTICATION_REQUIRED' || error.code === 'INVALID_TOKEN') {
      if (error.code === 'INVALID_TOKEN') clearSessionCookie(response, this.config.publicUrl);
      return seeOther(response, signInPath(request));
    }
    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
    response.status(error.status).send(asPage(errorPage(visitOf(request), error), response));
  }
}
