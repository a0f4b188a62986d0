import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { TrackedRequest } from '../requests/tracked-request';
import type { Caller } from '../requests/caller';

/** The Caller of a handler with a role. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<TrackedRequest>();
  if (caller === undefined) throw new Error('A handler on an open path has no caller.');
  return caller;
});
