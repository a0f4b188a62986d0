import { Body, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OpenToAll } from '../../../platform/auth/access.decorators';
import { BrowserSessions } from '../../../platform/auth/browser-sessions';
import { clearSessionCookie, sessionCookieIn, setSessionCookie } from '../../../platform/auth/session-cookie';
import { Config } from '../../../platform/config/config';
import { DomainError } from '../../../platform/errors/domain-error';
import { OwnBody } from '../../../platform/http/own-body';
import { seeOther } from '../../../platform/http/see-other';
import { addressOf } from '../../../platform/requests/tracked-request';
import { type Form, textIn } from '../../form';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { asPage } from '../../send-page';
import { CurrentVisit, type Visit } from '../../visit';
import { personNameIn } from './person-name';
import { returnPath } from './return-path';
import { signInPage } from './sign-in.view';

@PageController()
export class SignInController {
  constructor(
    private readonly config: Config,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get('sign-in')
  @OpenToAll()
  show(@CurrentVisit() visit: Visit, @Query('to') to: unknown): Html {
    return signInPage(visit, { to: returnPath(to), personName: '', problem: null });
  }

  @Post('sign-in')
  @OpenToAll()
  @OwnBody('form')
  async signIn(
    @CurrentVisit() visit: Visit,
    @Req() request: Request,
    @Res() response: Response,
    @Body() form: Form,
  ): Promise<void> {
    const to = returnPath(form?.to);
    const personName = personNameIn(form);
    try {
      const { cookie, expiresAt } = await this.sessions.begin(
        textIn(form, 'token').trim(),
        personName,
        addressOf(request),
      );
      setSessionCookie(response, cookie, expiresAt, this.config.publicUrl);
      seeOther(response, to);
    } catch (error) {
      const problem = error instanceof DomainError ? problemOf(error) : null;
      if (problem === null) throw error;
      response.status((error as DomainError).status);
      response.send(asPage(signInPage(visit, { to, personName, problem }), response));
    }
  }

  @Post('sign-out')
  @OwnBody('form')
  async signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.sessions.end(sessionCookieIn(request, this.config.publicUrl) ?? '');
    clearSessionCookie(response, this.config.publicUrl);
    seeOther(response, '/ui/sign-in');
  }
}

/** Null: the error is not about the token. */
function problemOf({ code, message }: DomainError): string | null {
  if (code === 'AUTHENTICATION_REQUIRED') return 'Give an API token.';
  return code === 'INVALID_TOKEN' ? message : null;
}
