import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../platform/requests/caller';
import type { TrackedRequest } from '../platform/requests/tracked-request';
import type { Form } from './form';
import { type Visit, visitOf } from './visit';

/** A form sent by a signed-in person. */
export interface SentForm {
  readonly visit: Visit;
  readonly caller: Caller;
  /** The path to which the form was sent. */
  readonly action: string;
  readonly typed: NonNullable<Form>;
}

/** The SentForm of a handler with `@OwnBody('form')`. */
export const CurrentForm = createParamDecorator((_: unknown, context: ExecutionContext): SentForm => {
  const request = context.switchToHttp().getRequest<TrackedRequest>();
  const { caller, path: action } = request;
  if (caller === undefined) throw new Error('A handler on an open path has no caller.');
  return { visit: visitOf(request), caller, action, typed: (request.body as Form) ?? {} };
});
