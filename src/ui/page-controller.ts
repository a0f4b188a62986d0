import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireCapability } from '../platform/auth/access.decorators';
import { SendPage } from './send-page';

/** Pages below `/ui`, for who signed in. A handler that changes something names the capability for it itself. */
export function PageController(path = ''): ClassDecorator {
  return applyDecorators(
    Controller(path === '' ? 'ui' : `ui/${path}`),
    ApiExcludeController(),
    RequireCapability('read'),
    UseInterceptors(SendPage),
  );
}
