import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { DomainError } from '../errors/domain-error';
import { OWN_BODY } from './own-body';

/** Counts the decoded body. */
const BODY_LIMIT_BYTES = 20 * 1024 * 1024;

const parseJson = express.json({ limit: BODY_LIMIT_BYTES, type: isJson });
const readRaw = express.raw({ limit: BODY_LIMIT_BYTES, type: () => true });

/**
 * Reads the body as the handler asks for it. It is a guard so that it runs after the token check and before the capability
 * check: without a token nobody can make the service read 20 MiB.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const kind = this.reflector.getAllAndOverride<'raw' | 'stream' | undefined>(OWN_BODY, [
      context.getHandler(),
      context.getClass(),
    ]);
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (kind === 'stream' || !hasBody(request)) return true;
    if (kind === undefined && !isJson(request)) {
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent with the content type application/json.');
    }
    await read(kind === 'raw' ? readRaw : parseJson, request, http.getResponse<Response>());
    return true;
  }
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson(request: { headers: { 'content-type'?: string } }): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

function read(parser: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void parser(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(bodyError(error))));
  });
}

/** Hides the parser's own message, because it quotes the body. */
function bodyError(error: unknown): DomainError {
  const { status } = error as { status?: number };
  if (status === 413) return new DomainError('PAYLOAD_TOO_LARGE', 'The body is larger than 20 MiB.');
  if (status === 415) {
    return new DomainError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be UTF-8, plain or compressed with gzip, deflate or br.',
    );
  }
  return new DomainError('MALFORMED_JSON', 'The body is not a valid JSON object.');
}
