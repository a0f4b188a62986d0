import { Body, Get, Header, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OpenToAll } from '../../../platform/auth/access.decorators';
import { setSessionCookie } from '../../../platform/auth/session-cookie';
import { SignInLinks } from '../../../platform/auth/sign-in-links';
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
import { signInLinkPage, spentLinkPage } from './sign-in-link.view';

/**
 * The URL of this page holds a secret, so it must not be sent to other sites. `no-referrer` would make browsers send
 * `Origin: null` with the form.
 */
const REFERRERS = 'strict-origin';

@PageController()
export class SignInLinkController {
  constructor(
    private readonly config: Config,
    private readonly links: SignInLinks,
  ) {}

  /** Link previews and prefetching browsers also request this page, so a GET must not use up the link. */
  @Get('sign-in-link')
  @OpenToAll()
  @Header('Referrer-Policy', REFERRERS)
  async show(
    @CurrentVisit() visit: Visit,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query('code') given: unknown,
  ): Promise<Html> {
    const code = typeof given === 'string' ? given : '';
    try {
      return signInLinkPage(visit, { code, caller: await this.links.callerOf(code, addressOf(request)) });
    } catch (error) {
      response.status(requireRefusal(error).status);
      return spentLinkPage(visit, requireRefusal(error).message);
    }
  }

  @Post('sign-in-link')
  @OpenToAll()
  @OwnBody('form')
  async signIn(
    @CurrentVisit() visit: Visit,
    @Req() request: Request,
    @Res() response: Response,
    @Body() form: Form,
  ): Promise<void> {
    try {
      const code = textIn(form, 'code');
      const { cookie, expiresAt } = await this.links.signIn(code, personNameIn(form), addressOf(request));
      setSessionCookie(response, cookie, expiresAt, this.config.publicUrl);
      seeOther(response, '/ui');
    } catch (error) {
      const { status, message } = requireRefusal(error);
      response.status(status).send(asPage(spentLinkPage(visit, message), response));
    }
  }
}

/**
 * Returns a refusal of the link, which this page shows. Other errors, such as too many attempts, have their own page.
 */
function requireRefusal(error: unknown): DomainError {
  if (error instanceof DomainError && error.code === 'INVALID_TOKEN') return error;
  throw error;
}
