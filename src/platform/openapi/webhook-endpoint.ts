import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { OpenToAll } from '../auth/access.decorators';
import { OwnBody } from '../http/own-body';

/**
 * For the webhooks of a code host, at `/webhooks/<kind>/<host>`. Open, because the handler checks the signature over the raw
 * body. Success is a 202: the event is stored, and acted on later.
 */
export function WebhookEndpoint(): MethodDecorator {
  return applyDecorators(HttpCode(202), OpenToAll(), OwnBody('raw'), ApiExcludeEndpoint());
}
