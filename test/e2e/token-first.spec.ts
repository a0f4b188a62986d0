import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { Endpoint } from '../../src';
import { type Client, codeOf } from './client';
import { Service } from './service';

@Controller('acme')
class AcmeController {
  @Get('thing/:name')
  @Endpoint({ summary: 'Find a thing', capability: 'read' })
  find(@Param('name') name: string): string {
    return name;
  }

  @Post('things')
  @HttpCode(200)
  @Endpoint({ summary: 'Make a thing', capability: 'submit' })
  make(): string {
    return 'made';
  }
}

@Module({ controllers: [AcmeController] })
class AcmeModule {}

const MIB = 1024 * 1024;
const PATHS = [
  '/v1/createQueue',
  '/v1/acme/things',
  '/v1/acme/thing/%E0%A4%A',
  '/v1/nothing',
  '/v1/%E0%A4%A',
  '/v1',
  '/v1/docs',
  '/v1/healthz',
  '/V1/createQueue',
  '//v1/createQueue',
  '/metrics',
  '/metrics/',
  '/healthz/',
  '/DOCS',
  '/OPENAPI.json',
  '/openapi.json/',
  '/WEBHOOKS/github',
  '/nothing',
  '/',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('The token is checked before anything else:', () => {
  let service: Service;
  let admin: Client;

  beforeAll(async () => {
    service = await Service.inMemory({}, [AcmeModule]);
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
  });
  afterAll(() => service.stop());

  it.each(PATHS)('%s answers 401 without a token, for any method', async (path) => {
    const statuses = await Promise.all(METHODS.map((method) => send(service, method, path, {}, '')));
    expect(statuses).toEqual(METHODS.map(() => 401));
  });

  it('an unknown path or a wrong method with a token answers 404 as JSON, below /v1 and elsewhere', async () => {
    for (const path of ['nothing', '%E0%A4%A', '../nothing', '../docsx', '']) {
      expect({ path, code: codeOf(await admin.get(path)) }).toEqual({ path, code: '404 NOT_FOUND' });
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      for (const path of ['createQueue', 'acme/things']) {
        expect(codeOf(await admin.send(method, path, undefined, {}))).toBe('404 NOT_FOUND');
      }
    }
    // No route accepts the body, so the service does not read it.
    expect(codeOf(await admin.send('POST', 'nothing', 'x', { 'content-type': 'text/plain' }))).toBe('404 NOT_FOUND');
  });

  it.each(['/v1/createQueue', '/v1/acme/things', '/v1/flaky-tests/upload-results', '/v1/nothing'])(
    'POST %s without a token answers 401 before the body is sent',
    async (path) => {
      const announced = { 'content-type': 'application/json', 'content-length': String(15 * MIB) };
      expect(await send(service, 'POST', path, announced)).toBe(401);
      expect(await send(service, 'POST', path, { ...announced, 'x-api-token': 'slc_wrong' })).toBe(401);
      expect(await send(service, 'POST', path, { 'transfer-encoding': 'chunked' })).toBe(401);
    },
  );
});

/** Sends the head of a request and, if given, a body. Resolves with the status of the answer. */
function send(
  { app }: Service,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<number | undefined> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path, headers, agent: false }, ({ statusCode }) => {
      resolve(statusCode);
      sent.destroy();
    });
    sent.once('error', reject);
    if (body === undefined) sent.flushHeaders();
    else sent.end(body);
  });
}
