import type { Type } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../platform/errors/domain-error';
import { RequestValidationPipe } from '../platform/errors/request-validation.pipe';
import { seeOther } from '../platform/http/see-other';
import type { Html } from './html';
import { asPage } from './send-page';

/** The fields of a submitted form; undefined: the request had no body. */
export type Form = Readonly<Record<string, unknown>> | undefined;

/** A refused form. The page shows the form again with the typed text. */
export interface RefusedForm {
  /** The path to which the form was sent. */
  readonly action: string;
  readonly problem: DomainError;
  readonly typed: Form;
}

/** The text of a form field; "" if the field is missing or repeated. */
export function textIn(form: Form, field: string): string {
  const value = form?.[field];
  return typeof value === 'string' ? value : '';
}

const pipe = new RequestValidationPipe();

/** The API request for a form, validated by the rules of the API. Errors: VALIDATION_FAILED. */
export async function checkedRequest<Request extends object>(type: Type<Request>, request: object): Promise<Request> {
  return (await pipe.transform(request, { type: 'body', metatype: type })) as Request;
}

interface FormAnswer {
  /**
   * Carries out the request of the form. Returns the path of the page that shows the result; null: the handler itself
   * answers.
   */
  readonly work: () => Promise<string | null>;
  /** The page with the refused form. */
  readonly again: (problem: DomainError) => Promise<Html>;
}

/**
 * Redirects to a page, so that a reload does not send the form again. A refusal is shown with the form again, but a
 * fault of the service is not.
 */
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
