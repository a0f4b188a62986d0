import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { isOpenPath } from '../requests/open-paths';
import { TOKEN_HEADER } from '../auth/token';
import { DomainError } from '../errors/domain-error';
import { publicPathOf } from '../http/public-path';
import { completeDocument } from './complete-document';
import { ERROR_CODES } from '../errors/error-codes';

const DOCUMENTATION = /^\/(?:docs|openapi\.json)(?:\/|$)/i;

const ABOUT = `A merge queue: pull requests go in, are tested on top of the pull requests ahead of them, and are merged when they pass.

Press **Authorize** and paste an API token; every operation below can then be executed from here, until the page is closed.`;

/** Swagger UI at /docs, the document at /openapi.json. */
export function serveOpenApi(app: INestApplication, publicUrl: string): void {
  app.use(requireExactPath);
  SwaggerModule.setup('docs', app, () => describeApi(app, publicUrl), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Sluice',
    // The page forgets the token when it closes: any script that ever runs on the page could read a stored token.
    swaggerOptions: { persistAuthorization: false, tryItOutEnabled: true },
  });
}

/**
 * Refuses paths such as `/DOCS`. Swagger UI has no guards, and Express ignores letter case, but the list of open paths
 * distinguishes it.
 */
function requireExactPath({ path }: Request, _response: Response, next: NextFunction): void {
  const isOther = DOCUMENTATION.test(path) && !isOpenPath(path);
  next(isOther ? new DomainError('NOT_FOUND', ERROR_CODES.NOT_FOUND.example) : undefined);
}

function describeApi(app: INestApplication, publicUrl: string): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Sluice')
    .setDescription(ABOUT)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(publicPathOf(publicUrl) || '/', 'this service')
    .addServer(publicUrl, 'by its public address')
    .addApiKey({ type: 'apiKey', in: 'header', name: TOKEN_HEADER, description: 'An API token.' }, TOKEN_HEADER)
    .build();
  const document = SwaggerModule.createDocument(app, options, { operationIdFactory: (_controller, method) => method });
  return completeDocument(document);
}
