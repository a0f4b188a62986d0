import type { Type } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../platform/errors/domain-error';
import { RequestValidationPipe } from '../platform/errors/request-validation.pipe';
import { seeOther } from '../platform/http/see-other';
import type { Html } from './html';
import { asPage } from './send-page';

/** The fields of a form that a browser sent; undefined: there was no body. */
export type Form = Readonly<Record<string, unknown>> | undefined;

/** A form that was refused, for the page that shows it again with what was typed. */
export interface RefusedForm {
  /** The path that it was sent to. */
  readonly action: string;
  readonly problem: DomainError;
  readonly typed: Form;
}

/** "" for a field that is not there, or there twice. */
export function textIn(form: Form, field: string): string {
  const value = form?.[field];
  return typeof value === 'string' ? value : '';
}

const pipe = new RequestValidationPipe();

/** A request of the interface that a form stands for, checked as the interface checks it. Errors: VALIDATION_FAILED. */
export async function checkedRequest<Request extends object>(type: Type<Request>, request: object): Promise<Request> {
  return (await pipe.transform(request, { type: 'body', metatype: type })) as Request;
}

interface FormAnswer {
  /** Does what the form asks for. Gives the path of the page that shows it; null: the handler answers by itself. */
  readonly work: () => Promise<string | null>;
  /** The page with the form, for one that was refused. */
  readonly again: (problem: DomainError) => Promise<Html>;
}

/** Leads to a page that can be read anew without sending the form twice. A fault of the service is no refusal. */
export async function answerForm(response: Response, { work, again }: FormAnswer): Promise<void> {
  let path: string | null;
  try {
    path = await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'INTERNAL_ERROR') throw error;
    const page = await again(error);
    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
    response.status(error.status).send(asPage(page, response));
    return;
  }
  if (path !== null) seeOther(response, path);
}
