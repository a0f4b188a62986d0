import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Body, Controller, Get, type INestApplication, Module, Post, Query, Req } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import type { Request } from 'express';
import { Gauge, register } from 'prom-client';
import { createMergeQueue } from '../../src/create-merge-queue';
import { type Caller } from '../../src/platform/requests/caller';
import { CurrentCaller } from '../../src/platform/auth/current-caller';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken, listTokens, revokeToken } from '../../src/platform/auth/tokens';
import { readConfig } from '../../src/platform/config/read-config';
import { PrismaService } from '../../src/platform/database/prisma.service';
import { DomainError } from '../../src/platform/errors/domain-error';
import { RejectUnknownFields } from '../../src/platform/errors/reject-unknown-fields';
import { HealthProbes } from '../../src/platform/health/health-probes';
import { OwnBody } from '../../src/platform/http/own-body';
import { Endpoint } from '../../src/platform/openapi/endpoint';

const MIB = 1024 * 1024;

class Inner {
  @ApiProperty({ description: 'A number.', example: 7 })
  @IsInt()
  number: number;
}

class Echo {
  @ApiProperty({ description: 'A name.', example: 'a' })
  @IsString()
  name: string;

  @ApiProperty({ description: 'A nested object.', type: Inner })
  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => Inner)
  inner: Inner;
}

@RejectUnknownFields()
class StrictEcho extends Echo {}

class Answer {
  @ApiProperty({ description: 'What came in.', example: 'a' })
  text: string;
}

const examples = { usual: { value: { name: 'a', inner: { number: 7 } } } };

@Controller('echo')
class EchoController {
  @Post()
  @Endpoint({
    summary: 'Echo',
    capability: 'submit',
    request: Echo,
    requestExamples: examples,
    response: Answer,
    errors: ['PR_NOT_FOUND'],
  })
  echo(@Body() body: Echo, @CurrentCaller() caller: Caller): Answer {
    return { text: JSON.stringify({ body, caller: `${caller.organizationSlug}/${caller.tokenName}/${caller.role}` }) };
  }

  @Post('strict')
  @Endpoint({ summary: 'Strict echo', capability: 'administer', request: StrictEcho, response: Answer })
  strict(@Body() body: StrictEcho): Answer {
    return { text: body.name };
  }

  @Get('error')
  @Endpoint({ summary: 'Errors', capability: 'read' })
  error(@Query('kind') kind: string): never {
    if (kind === 'domain') throw new DomainError('MERGE_QUEUE_NOT_FOUND', 'There is no such queue.');
    if (kind === 'busy') throw new DomainError('UNAVAILABLE', 'Later.', [], 7);
    throw new Error('select * from secrets where password = hunter2');
  }

  @Post('raw')
  @OwnBody('raw')
  @Endpoint({ summary: 'Raw', capability: 'read' })
  raw(@Req() request: Request): Answer {
    return { text: (request.body as Buffer).toString('utf8') };
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

@Controller('forgotten')
class ForgottenController {
  @Get()
  list(): string {
    return 'anything';
  }
}

@Module({ controllers: [ForgottenController] })
class ForgottenModule {}

const config = (extra: Record<string, string> = {}) =>
  readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_LOG_LEVEL: 'silent', ...extra });

async function start(extra: Record<string, string> = {}): Promise<INestApplication> {
  const app = await createMergeQueue({ config: config(extra), extensions: [EchoModule] });
  await app.listen(0, '127.0.0.1');
  return app;
}

const portOf = (app: INestApplication) => ((app.getHttpServer() as Server).address() as AddressInfo).port;

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body of the reply; null when the reply is not JSON. */
  readonly body: unknown;
}

async function ask(app: INestApplication, path: string, request: RequestInit): Promise<Reply> {
  const response = await fetch(`http://127.0.0.1:${portOf(app)}${path}`, request);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body = isJson ? (JSON.parse(text) as unknown) : null;
  return { status: response.status, headers: Object.fromEntries(response.headers), text, body };
}

describe('the platform over HTTP', () => {
  let app: INestApplication;
  let prisma: PrismaService;
  const tokens = { read: '', submit: '', admin: '' };
  const good = { name: 'a', inner: { number: 7 } };
  const now = new Date();

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) => ask(app, path, { headers });
  const post = (path: string, token: string, body: string | object = good, type = 'application/json') =>
    ask(app, path, {
      method: 'POST',
      headers: { 'x-api-token': token, 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const codeOf = (response: { body: unknown }) => (response.body as { error: { code: string } }).error.code;

  beforeAll(async () => {
    app = await start();
    prisma = app.get(PrismaService);
    await createOrganization(prisma, { slug: 'platform-http' }, now);
    for (const role of ['read', 'submit', 'admin'] as const) {
      const made = await createToken(prisma, { organizationSlug: 'platform-http', name: role, role }, now);
      tokens[role] = made.token;
    }
  });
  afterAll(() => app.close());

  describe('a token', () => {
    it('is needed on every path that is not public, whether or not the path exists', async () => {
      for (const path of ['/v1/echo', '/v1/nothing', '/metrics', '/', '/V1/echo', '/docs-not', '//healthz']) {
        const response = await get(path);
        expect([path, response.status, codeOf(response)]).toEqual([path, 401, 'AUTHENTICATION_REQUIRED']);
      }
      for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/swagger-ui.css']) {
        expect([path, (await get(path)).status]).toEqual([path, 200]);
      }
    });

    it('that is unknown, malformed, expired or revoked is refused with the same message', async () => {
      const organizationSlug = 'platform-http';
      const soon = new Date(Date.now() + 60_000);
      const expired = await createToken(prisma, { organizationSlug, name: 'old', role: 'admin', expiresAt: soon }, now);
      await prisma.apiToken.update({ where: { id: expired.id }, data: { expiresAt: new Date(Date.now() - 1) } });
      const revoked = await createToken(prisma, { organizationSlug, name: 'gone', role: 'admin' }, now);
      expect((await post('/v1/echo', revoked.token)).status).toBe(200);
      await revokeToken(prisma, { organizationSlug, name: 'gone' }, new Date());
      const bodies = [];
      for (const token of [
        'nonsense',
        `slc_${'a'.repeat(43)}`,
        expired.token,
        revoked.token,
        `${tokens.read}, ${tokens.read}`,
      ]) {
        const response = await post('/v1/echo', token);
        expect([response.status, codeOf(response)]).toEqual([401, 'INVALID_TOKEN']);
        bodies.push((response.body as { error: { message: string } }).error.message);
      }
      expect(new Set(bodies).size).toBe(1);
    });

    it('identifies the caller, and the time of its use is stored', async () => {
      const response = await post('/v1/echo', tokens.submit);
      expect(response.status).toBe(200);
      expect((response.body as Answer).text).toContain('platform-http/submit/submit');
      const submit = (await listTokens(prisma, 'platform-http')).find((token) => token.name === 'submit');
      expect(submit?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(now.getTime());
      expect(JSON.stringify(submit)).not.toContain('hash');
    });

    it('allows the operations of its role, and names the roles that include more', async () => {
      const statuses = async (path: string) =>
        Promise.all(Object.values(tokens).map(async (token) => (await post(path, token)).status));
      expect(await statuses('/v1/echo')).toEqual([403, 200, 200]);
      expect(await statuses('/v1/echo/strict')).toEqual([403, 403, 200]);
      const { body } = (await post('/v1/echo', tokens.read)) as { body: { error: { message: string } } };
      expect(body.error.message).toBe('This needs a token with the role submit or admin; read has the role read.');
    });
  });

  describe('requests are checked in a fixed order:', () => {
    it('token, body, role, fields', async () => {
      expect((await post('/v1/echo', 'nonsense', '{')).status).toBe(401);
      expect((await post('/v1/echo', tokens.read, '{')).status).toBe(400);
      expect((await post('/v1/echo', tokens.read, {})).status).toBe(403);
      expect((await post('/v1/echo', tokens.submit, {})).status).toBe(400);
    });
  });

  describe('a body', () => {
    it.each([['{'], ['"text"'], ['{"a":}']])('that is not a JSON object (%s) is MALFORMED_JSON', async (body) => {
      expect(codeOf(await post('/v1/echo', tokens.submit, body))).toBe('MALFORMED_JSON');
    });

    it('that is an array is refused', async () => {
      expect(codeOf(await post('/v1/echo', tokens.submit, '[]'))).toBe('VALIDATION_FAILED');
    });

    it.each([['text/plain'], ['application/xml'], ['application/jsonx'], ['application/json; charset=latin1']])(
      'of the type %s is UNSUPPORTED_MEDIA_TYPE',
      async (type) => {
        const response = await post('/v1/echo', tokens.submit, good, type);
        expect([response.status, codeOf(response)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      },
    );

    it('of 20 MiB is accepted and one byte more is not, also when it is compressed', async () => {
      const bodyOf = (size: number) => {
        const frame = JSON.stringify({ ...good, name: '' });
        return frame.replace('"name":""', `"name":"${'x'.repeat(size - frame.length)}"`);
      };
      const send = (text: string) => post('/v1/echo/strict', tokens.admin, text);
      expect((await send(bodyOf(20 * MIB))).status).toBe(200);
      expect(codeOf(await send(bodyOf(20 * MIB + 1)))).toBe('PAYLOAD_TOO_LARGE');
      const bomb = await fetch(`http://127.0.0.1:${portOf(app)}/v1/echo/strict`, {
        method: 'POST',
        headers: { 'x-api-token': tokens.admin, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: gzipSync(bodyOf(20 * MIB + 1)),
      });
      expect([bomb.status, codeOf({ body: await bomb.json() })]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it.each([
      ['a text that is an object with a constructor', '{"name":{"constructor":1},"inner":{"number":7}}'],
      ['a constructor among the fields within', '{"name":"a","inner":{"constructor":1,"number":7}}'],
      ['a prototype in place of fields', '{"name":"a","inner":{"__proto__":{"number":7}}}'],
      ['a constructor with a prototype', '{"name":"a","inner":{"number":7},"constructor":{"prototype":{"x":1}}}'],
      ['1,501 lists in one another', `{"name":${'['.repeat(1501)}${']'.repeat(1501)},"inner":{"number":7}}`],
    ])('attack 10: with %s is refused as a wrong request, not as an internal error', async (_, body) => {
      const response = await post('/v1/echo/strict', tokens.admin, body);
      expect([response.status, codeOf(response)]).toEqual([400, 'VALIDATION_FAILED']);
    });

    it('may be announced with the header Expect: 100-continue', async () => {
      const status = await new Promise<[boolean, number | undefined]>((resolve, reject) => {
        let told = false;
        const headers = { 'x-api-token': tokens.submit, 'content-type': 'application/json', expect: '100-continue' };
        const sent = httpRequest({ port: portOf(app), method: 'POST', path: '/v1/echo', headers }, (response) => {
          response.resume();
          resolve([told, response.statusCode]);
        });
        sent.once('error', reject);
        sent.once('continue', () => {
          told = true;
          sent.end(JSON.stringify(good));
        });
        sent.flushHeaders();
      });
      expect(status).toEqual([true, 200]);
    });

    it('is passed unchanged to a handler that needs the raw bytes', async () => {
      const response = await post('/v1/echo/raw', tokens.read, '<a/>', 'text/xml');
      expect((response.body as Answer).text).toBe('<a/>');
    });
  });

  describe('fields', () => {
    it('that are wrong are all reported together, by their path', async () => {
      const response = await post('/v1/echo', tokens.submit, { name: 7, inner: { number: '7' } });
      expect([response.status, response.body]).toEqual([
        400,
        {
          error: {
            code: 'VALIDATION_FAILED',
            message: '2 fields are wrong: name, inner.number.',
            details: [
              { field: 'name', message: 'name must be a string' },
              { field: 'inner.number', message: 'number must be an integer number' },
            ],
            requestId: response.headers['x-request-id'],
          },
        },
      ]);
    });

    it('that are unknown are dropped, or refused by name if a misspelt name would be harmful', async () => {
      const unknown = { ...good, extra: 1, inner: { number: 7, deep: 1 } };
      const response = await post('/v1/echo', tokens.submit, unknown);
      expect(JSON.parse((response.body as Answer).text)).toMatchObject({ body: good });
      expect((response.body as Answer).text).not.toMatch(/extra|deep/);
      const strict = (await post('/v1/echo/strict', tokens.admin, unknown)).body as { error: { details: object[] } };
      expect(strict.error.details).toEqual([
        { field: 'extra', message: 'is not a field of this request' },
        { field: 'inner.deep', message: 'is not a field of this request' },
      ]);
    });
  });

  describe('an error', () => {
    const fail = (kind: string) => get(`/v1/echo/error?kind=${kind}`, { 'x-api-token': tokens.read });

    it('that is meant for the caller is sent with its code', async () => {
      expect((await fail('domain')).status).toBe(404);
      const busy = await fail('busy');
      expect([busy.status, busy.headers['retry-after']]).toEqual([503, '7']);
    });

    it('inside the service reveals no internals', async () => {
      const response = await fail('bug');
      expect([response.status, codeOf(response)]).toEqual([500, 'INTERNAL_ERROR']);
      expect(response.text).not.toMatch(/select|secrets|hunter2|\.ts/);
    });

    it('names its request by the id that the caller sent, unless that id is harmful', async () => {
      const given = await get('/v1/nothing', { 'x-api-token': tokens.read, 'x-request-id': 'ci-7.a_b' });
      expect(given.headers['x-request-id']).toBe('ci-7.a_b');
      expect(given.body).toMatchObject({ error: { code: 'NOT_FOUND', requestId: 'ci-7.a_b' } });
      const harmful = await get('/healthz', { 'x-request-id': 'a b' });
      expect(harmful.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  it('limits the number of requests of each token if that is switched on', async () => {
    const limited = await start({ SLUICE_RATE_LIMIT_PER_MINUTE: '3' });
    const call = (token: string) =>
      ask(limited, '/v1/echo', {
        method: 'POST',
        headers: { 'x-api-token': token, 'content-type': 'application/json' },
        body: JSON.stringify(good),
      });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await call(tokens.submit)).status);
    const refused = await call(tokens.submit);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(codeOf(refused)).toBe('RATE_LIMIT_EXCEEDED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(tokens.admin)).status).toBe(200);
    await limited.close();
  });

  it('does not start with a handler that names no capability, and names that handler', async () => {
    const forgetful = await createMergeQueue({ config: config(), extensions: [ForgottenModule] });
    await expect(forgetful.init()).rejects.toThrow(/ForgottenController\.list/);
    await forgetful.close();
  });

  it('documents the capability that an endpoint needs, and all its answers', async () => {
    const { paths } = (await get('/openapi.json')).body as { paths: Record<string, { post: object }> };
    expect(paths['/v1/echo']?.post).toMatchObject({
      summary: 'Echo',
      description: 'Roles that may call it: `submit`, `admin`.',
      security: [{ 'x-api-token': [] }],
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Echo' }, examples } },
      },
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } } },
        404: {
          description: 'PR_NOT_FOUND',
          content: {
            'application/json': { examples: { PR_NOT_FOUND: { value: { error: { code: 'PR_NOT_FOUND' } } } } },
          },
        },
      },
    });
    const statuses = Object.keys((paths['/v1/echo']?.post as { responses: object }).responses);
    expect(statuses).toEqual(['200', '400', '401', '403', '404', '408', '413', '415', '429', '500', '503']);
  });

  it('is ready while no registered health probe reports a problem, and names the probes that do', async () => {
    expect((await get('/readyz')).body).toMatchObject({ status: 'ready', checks: { database: 'ok' } });
    app.get(HealthProbes).register('ticker', () => ({ problem: 'has not run for 90 seconds' }));
    const sick = await get('/readyz');
    expect([sick.status, sick.body]).toMatchObject([
      503,
      { status: 'not_ready', checks: { ticker: { problem: 'has not run for 90 seconds' } } },
    ]);
    app.get(HealthProbes).register('ticker', () => 'ok');
  });

  it('serves the metrics of the process to callers with a token', async () => {
    const response = await get('/metrics', { 'x-api-token': tokens.read });
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.text).toContain('process_cpu_user_seconds_total');
  });

  it('answers as JSON when the metrics of the process cannot be read', async () => {
    const collect = (): never => {
      throw new Error('no answer from the kernel');
    };
    new Gauge({ name: 'sluice_broken', help: 'Cannot be collected', collect });
    try {
      const response = await get('/metrics', { 'x-api-token': tokens.read });
      expect([response.status, codeOf(response)]).toEqual([500, 'INTERNAL_ERROR']);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    } finally {
      register.removeSingleMetric('sluice_broken');
    }
  });
});
