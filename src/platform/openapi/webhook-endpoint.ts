import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { OpenToAll } from '../auth/access.decorators';
import { OwnBody } from '../http/own-body';

/**
 * For webhooks of a code host at `/webhooks/<kind>/<host>`. A webhook needs no token, because the handler checks the
 * signature of the raw body. Success is 202: the event is stored and processed later.
 */
export function WebhookEndpoint(): MethodDecorator {
  return applyDecorators(HttpCode(202), OpenToAll(), OwnBody('raw'), ApiExcludeEndpoint());
}
