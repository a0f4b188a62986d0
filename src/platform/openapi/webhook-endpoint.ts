import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { OpenToAll } from '../auth/access.decorators';
import { OwnBody } from '../http/own-body';

/**
 * A door for news of a code host, under `/webhooks/`: open, since the handler checks the signature over the raw body;
 * success is a 202, because the news is stored and not yet acted on.
 */
export function WebhookEndpoint(): MethodDecorator {
  return applyDecorators(HttpCode(202), OpenToAll(), OwnBody('raw'), ApiExcludeEndpoint());
}
