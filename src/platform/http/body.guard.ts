import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { DomainError } from '../errors/domain-error';
import { ERROR_CODES } from '../errors/error-codes';
import { tooMuchIn } from '../requests/json-text';
import { type BodyKind, OWN_BODY } from './own-body';
import { hasBody, inviteBody } from './request-bodies';
import { lendSlot } from './admission-control';

/** The limit of the decoded body. */
const BODY_LIMIT_BYTES = 20 * 1024 * 1024;
const FORM_LIMIT_BYTES = 64 * 1024;

const parseJson = express.json({ limit: BODY_LIMIT_BYTES, type: isJson, verify: requirePlainJson });
// A signature covers the bytes as sent, so a compressed body is not decompressed before its signature is checked.
const readRaw = express.raw({ limit: BODY_LIMIT_BYTES, type: () => true, inflate: false });
const parseForm = express.urlencoded({ limit: FORM_LIMIT_BYTES, extended: false });

const PARSERS = { json: parseJson, raw: readRaw, form: parseForm } as const;

/**
 * Reads the body in the form that the handler wants. It runs after the guard for tokens and before the guard for
 * capabilities, so a caller without a token cannot make the service read 20 MiB.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const kind = this.reflector.getAllAndOverride<BodyKind | undefined>(OWN_BODY, [
      context.getHandler(),
      context.getClass(),
    ]);
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (!hasBody(request)) return true;
    if (kind === 'form' && !request.is('application/x-www-form-urlencoded')) {
      throw new DomainError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The body must be sent as a form: application/x-www-form-urlencoded.',
      );
    }
    if (kind === undefined && !isJson(request)) {
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent with the content type application/json.');
    }
    if (kind !== 'stream' && Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();
    inviteBody(request, response);
    if (kind !== 'stream') await lendSlot(response, read(PARSERS[kind ?? 'json'], request, response));
    return true;
  }
}

function isJson(request: { headers: { 'content-type'?: string } }): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

function read(parser: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void parser(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(bodyError(error))));
  });
}

/** The parser calls this function with the decoded bytes before parsing them. */
function requirePlainJson(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  if (encoding !== 'utf-8') throw notReadable();
  const tooMuch = tooMuchIn(body);
  if (tooMuch !== null) throw new DomainError('VALIDATION_FAILED', `The body must not ${tooMuch}.`);
}

/** Hides the message of the parser, because that message quotes the body. */
function bodyError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const { status } = error as { status?: number };
  if (status === 413) return tooLarge();
  if (status === 415) return notReadable();
  return new DomainError('MALFORMED_JSON', 'The body is not a valid JSON object.');
}

function tooLarge(): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', ERROR_CODES.PAYLOAD_TOO_LARGE.example);
}

function notReadable(): DomainError {
  return new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be UTF-8, plain or compressed with gzip, deflate or br; a webhook may not be compressed.',
  );
}
