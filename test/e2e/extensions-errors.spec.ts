import {
  BadGatewayException,
  ConflictException,
  Controller,
  ForbiddenException,
  Get,
  GoneException,
  HttpException,
  ImATeapotException,
  Module,
  NotFoundException,
  Param,
  ParseUUIDPipe,
} from '@nestjs/common';
import { defineErrorCode, DomainError, Endpoint } from '../../src';
import { type Client, codeOf } from './client';
import { Service } from './service';

const BRANCH_IS_FROZEN = defineErrorCode('BRANCH_IS_FROZEN', { status: 423, example: 'main is frozen until 17:00.' });

const THROWN: Readonly<Record<string, () => Error>> = {
  conflict: () => new ConflictException('There is a freeze already.'),
  list: () => new ConflictException({ message: ['one is wrong', 'two is wrong'], error: 'Conflict' }),
  missing: () => new NotFoundException('There is no freeze f1.'),
  forbidden: () => new ForbiddenException('Only the release team may.'),
  gone: () => new GoneException('The freeze f1 has ended.'),
  teapot: () => new ImATeapotException(),
  unnamed: () => new HttpException('Slow down the client.', 499),
  upstream: () => new BadGatewayException('tracker.internal:8080 refused the connection'),
  notModified: () => new HttpException('not an error', 304),
  bug: () => new Error('freeze table is broken'),
};

@Controller('freezes')
class FreezesController {
  @Get('frozen')
  @Endpoint({ summary: 'Refuse', capability: 'read', errors: [BRANCH_IS_FROZEN, 'REPOSITORY_NOT_FOUND'] })
  frozen(): never {
    throw new DomainError(BRANCH_IS_FROZEN, 'release is frozen until 18:00.', [{ field: 'branch', message: 'frozen' }]);
  }

  @Get('throw/:what')
  @Endpoint({ summary: 'Throw what Nest has', capability: 'read' })
  fail(@Param('what') what: string): never {
    throw THROWN[what]!();
  }

  @Get('by-id/:id')
  @Endpoint({ summary: 'Take a UUID', capability: 'read' })
  byId(@Param('id', ParseUUIDPipe) id: string): string {
    return id;
  }
}

@Module({ controllers: [FreezesController] })
class FreezesModule {}

describe('A module of an extension', () => {
  let service: Service;
  let reader: Client;
  beforeAll(async () => {
    service = await Service.inMemory({}, [FreezesModule]);
    await service.organization('acme');
    reader = await service.client('acme', 'read');
  });
  afterAll(() => service.stop());

  it.each([
    ['conflict', '409 CONFLICT', 'There is a freeze already.'],
    ['list', '409 CONFLICT', 'one is wrong; two is wrong'],
    ['missing', '404 NOT_FOUND', 'There is no freeze f1.'],
    ['forbidden', '403 INSUFFICIENT_PERMISSIONS', 'Only the release team may.'],
    ['gone', '410 GONE', 'The freeze f1 has ended.'],
    ['teapot', '418 I_AM_A_TEAPOT', "I'm a teapot"],
    ['unnamed', '499 REQUEST_FAILED', 'Slow down the client.'],
  ])('may throw Nest exceptions: %s is answered %s', async (what, code, message) => {
    const answer = await reader.get(`freezes/throw/${what}`);
    expect([codeOf(answer), answer.body.error?.message]).toEqual([code, message]);
    expect(answer.body.error?.requestId).toBe(answer.headers.get('x-request-id'));
  });

  it.each([
    ['upstream', '502 UPSTREAM_ERROR'],
    ['notModified', '500 INTERNAL_ERROR'],
    ['bug', '500 INTERNAL_ERROR'],
  ])('does not reveal internal errors: %s is answered %s', async (what, code) => {
    const answer = await reader.get(`freezes/throw/${what}`);
    expect(codeOf(answer)).toBe(code);
    expect(answer.text).not.toMatch(/internal:8080|table|not an error/);
  });

  it("may use Nest's pipes for its parameters", async () => {
    const answer = await reader.get('freezes/by-id/7');
    expect(codeOf(answer)).toBe('400 VALIDATION_FAILED');
    expect(answer.body.error?.message).toBe('Validation failed (uuid is expected)');
  });

  it('may have its own error codes, which the OpenAPI document describes', async () => {
    const answer = await reader.get('freezes/frozen');
    expect([codeOf(answer), answer.body.error]).toMatchObject([
      '423 BRANCH_IS_FROZEN',
      { message: 'release is frozen until 18:00.', details: [{ field: 'branch', message: 'frozen' }] },
    ]);
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, { get: { responses: object } }>;
    };
    expect(document.paths['/v1/freezes/frozen']?.get.responses).toMatchObject({
      404: { description: 'REPOSITORY_NOT_FOUND' },
      423: {
        description: 'BRANCH_IS_FROZEN',
        content: {
          'application/json': {
            examples: {
              BRANCH_IS_FROZEN: {
                value: { error: { code: 'BRANCH_IS_FROZEN', message: 'main is frozen until 17:00.' } },
              },
            },
          },
        },
      },
    });
  });

  it.each([
    ['NOT_FOUND', /exists already/],
    ['branchIsFrozen', /must be capital letters/],
    ['', /must be capital letters/],
  ])('cannot have an error code named %j', (code, why) => {
    expect(() => defineErrorCode(code, { status: 409, example: 'x' })).toThrow(why);
  });
});
