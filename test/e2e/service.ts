import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module';
import { configureMergeQueue } from '../../src/create-merge-queue';
import type { Role } from '../../src/platform/auth/caller';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { Clock } from '../../src/platform/clock/clock';
import { Config } from '../../src/platform/config/config';
import { readConfig } from '../../src/platform/config/read-config';
import { PrismaService } from '../../src/platform/database/prisma.service';
import { Background } from '../../src/platform/lifecycle/background';
import { createLogger } from '../../src/platform/logging/logger';
import type { GitWorld } from '../../src/testing/git-world';

export const NOW = new Date('2026-11-20T12:00:00.000Z');

export class SetClock extends Clock {
  constructor(private instant: Date) {
    super();
  }

  now(): Date {
    return new Date(this.instant);
  }

  advance(minutes: number): void {
    this.instant = new Date(this.instant.getTime() + minutes * 60_000);
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined when the answer is not JSON. */
  readonly body: any;
}

/** The real application on an empty database, asked over HTTP. */
export class Service {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly prisma: PrismaService,
    readonly clock: SetClock,
  ) {}

  static async start(settings: Partial<Config> = {}): Promise<Service> {
    const config = new Config({
      ...readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_LOG_LEVEL: 'silent' }),
      ...settings,
    });
    const clock = new SetClock(NOW);
    const module = await Test.createTestingModule({ imports: [AppModule.with(config)] })
      .overrideProvider(Clock)
      .useValue(clock)
      .overrideProvider(Background)
      .useValue({ isOn: false })
      .setLogger(createLogger('silent'))
      .compile();
    const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
    configureMergeQueue(app, config);
    await app.listen(0, '127.0.0.1');
    const prisma = app.get(PrismaService);
    await prisma.$executeRaw`TRUNCATE "Organization", "OutboxOrder", "InboxDelivery" CASCADE`;
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new Service(app, `http://127.0.0.1:${port}`, prisma, clock);
  }

  /** With one host, `local`, that holds the repositories of the world. */
  static onGit(git: GitWorld, settings: Partial<Config> = {}): Promise<Service> {
    const host = { host: 'local', kind: 'git', url: git.urlTemplate, pollSeconds: 5, settings: {} };
    return Service.start({ hosts: [host], dataDirectory: git.dataDirectory, ...settings });
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  async organization(slug: string): Promise<string> {
    return (await createOrganization(this.prisma, { slug }, this.clock.now())).id;
  }

  async client(organizationSlug: string, role: Role): Promise<Client> {
    const { token } = await createToken(
      this.prisma,
      { organizationSlug, name: `${role} of ${organizationSlug}`, role },
      this.clock.now(),
    );
    return new Client(this.url, token);
  }

  anonymous(): Client {
    return new Client(this.url, undefined);
  }
}

export class Client {
  constructor(
    private readonly url: string,
    readonly token: string | undefined,
  ) {}

  post(operation: string, body: unknown): Promise<Answer> {
    return this.send('POST', operation, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path, undefined, {});
  }

  async send(method: string, path: string, body: string | undefined, headers: Record<string, string>): Promise<Answer> {
    const response = await fetch(`${this.url}/v1/${path}`, {
      method,
      body,
      headers: { ...(this.token !== undefined && { 'x-api-token': this.token }), ...headers },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  }
}

/** The fields that an answer of 400 names, with what it says of each. */
export function wrongFields({ status, body }: Answer): Record<string, string> {
  expect({ status, code: body?.error?.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
  const details = (body.error.details ?? []) as { field: string; message: string }[];
  return Object.fromEntries(details.map(({ field, message }) => [field, message]));
}

export function codeOf({ status, body }: Answer): string {
  return `${status} ${body?.error?.code ?? ''}`.trim();
}
