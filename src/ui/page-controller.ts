import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireCapability } from '../platform/auth/access.decorators';
import { SendPage } from './send-page';

/**
 * Marks a controller of pages below `/ui`, for signed-in people. A handler that changes something names its own
 * capability.
 */
export function PageController(path = ''): ClassDecorator {
  return applyDecorators(
    Controller(path === '' ? 'ui' : `ui/${path}`),
    ApiExcludeController(),
    RequireCapability('read'),
    UseInterceptors(SendPage),
  );
}
