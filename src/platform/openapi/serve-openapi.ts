import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { TOKEN_SCHEME } from './endpoint';

const ABOUT = `A merge queue: pull requests go in, are tested on top of what will land before them, and are merged when they pass.

Press **Authorize** once and paste an API token; every operation below can then be executed from here.`;

/** Swagger UI at /docs, the document at /openapi.json. */
export function serveOpenApi(app: INestApplication, publicUrl: string): void {
  SwaggerModule.setup('docs', app, () => describeApi(app, publicUrl), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Sluice',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true },
  });
}

export function describeApi(app: INestApplication, publicUrl: string): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Sluice')
    .setDescription(ABOUT)
    .setVersion('1')
    .addServer('/', 'this service')
    .addServer(publicUrl, 'by its public address')
    .addApiKey({ type: 'apiKey', in: 'header', name: TOKEN_SCHEME, description: 'An API token.' }, TOKEN_SCHEME)
    .build();
  return SwaggerModule.createDocument(app, options, { operationIdFactory: (_controller, method) => method });
}
