import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { type Caller, CurrentCaller, DomainError, Endpoint } from '../../src';
import { loadExtensions } from '../../src/platform/lifecycle/load-extensions';
import type { Client } from './client';
import { Service } from './service';

@Injectable()
class Greeter {
  greet({ tokenName }: Caller): { hello: string } {
    return { hello: tokenName };
  }
}

@Controller('acme')
class AcmeController {
  constructor(private readonly greeter: Greeter) {}

  @Get('hello')
  @Endpoint({ summary: 'Greet the caller', capability: 'submit' })
  hello(@CurrentCaller() caller: Caller): { hello: string } {
    return this.greeter.greet(caller);
  }

  @Get('lost')
  @Endpoint({ summary: 'Find nothing', capability: 'read' })
  lost(): never {
    throw new DomainError('NOT_FOUND', 'There is nothing here.');
  }
}

const guarded: (Caller | undefined)[] = [];

@Injectable()
class WatchingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    guarded.push(context.switchToHttp().getRequest<{ caller?: Caller }>().caller);
    return true;
  }
}

@Injectable()
class RawRoute implements OnModuleInit {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    this.adapterHost.httpAdapter.get('/v1/acme/raw', (_request: Request, response: Response) => response.send('open'));
  }
}

@Module({
  controllers: [AcmeController],
  providers: [Greeter, RawRoute, { provide: APP_GUARD, useClass: WatchingGuard }],
})
class AcmeModule {}

@Controller('acme')
class CarelessController {
  @Get('open')
  open(): string {
    return 'to everybody';
  }
}

@Module({ controllers: [CarelessController] })
class CarelessModule {}

@Module({})
class MiddlewareModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const answer = (_request: Request, response: Response, _next: NextFunction) => response.send('to everybody');
    consumer.apply(answer).forRoutes('acme/open');
  }
}

describe('A module of an extension', () => {
  let service: Service;
  let reader: Client;
  let submitter: Client;
  beforeAll(async () => {
    service = await Service.inMemory({}, [AcmeModule]);
    await service.organization('acme');
    reader = await service.client('acme', 'read');
    submitter = await service.client('acme', 'submit');
  });
  afterAll(() => service.stop());

  it('is protected like the API: 401 without a token, 403 without the capability', async () => {
    expect((await service.anonymous().get('acme/hello')).status).toBe(401);
    expect((await reader.get('acme/hello')).status).toBe(403);
    const answer = await submitter.get('acme/hello');
    expect([answer.status, answer.text]).toEqual([200, '{"hello":"submit of acme"}']);
  });

  it('has its own guards, which run after the caller is authenticated', async () => {
    guarded.length = 0;
    await service.anonymous().get('acme/lost');
    expect(guarded).toEqual([]);
    await reader.get('acme/lost');
    expect(guarded).toMatchObject([{ tokenName: 'read of acme', capabilities: ['read'] }]);
  });

  it('cannot answer before the guards of the service', async () => {
    expect((await service.anonymous().get('acme/raw')).status).toBe(401);
    expect((await reader.get('acme/raw')).status).toBe(404);
    await expect(Service.inMemory({}, [MiddlewareModule])).rejects.toThrow(
      /have middleware, which runs before the token is checked.*MiddlewareModule/,
    );
  });

  it("answers errors in the API's format, and is part of the OpenAPI document", async () => {
    const answer = await reader.get('acme/lost');
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'NOT_FOUND']);
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, unknown> };
    expect(Object.keys(document.paths)).toContain('/v1/acme/hello');
  });

  it('does not start when one of its handlers names no capability', async () => {
    await expect(Service.inMemory({}, [CarelessModule])).rejects.toThrow(/name no capability.*CarelessController/);
  });
});

describe('SLUICE_EXTENSIONS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-extension-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('loads the module that a package or file exports as `extension`', () => {
    const [extension] = loadExtensions([fileWith('good.cjs', 'exports.extension = class Acme {};')]);
    expect(extension?.name).toBe('Acme');
  });

  it('stops the start with an explanation that names a module that cannot be loaded', () => {
    expect(() => loadExtensions([fileWith('bad.cjs', 'exports.other = 1;')])).toThrow(
      /bad\.cjs, which does not export/,
    );
    expect(() => loadExtensions([join(folder, 'none.cjs')])).toThrow(/none\.cjs, which cannot be loaded/);
  });
});
