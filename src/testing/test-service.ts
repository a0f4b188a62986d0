import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { INestApplication, Type } from '@nestjs/common';
import type { MemoryHost } from '../code-hosts/memory/memory-host';
import { MemoryHostAdapter } from '../code-hosts/memory/memory-host.adapter';
import { createMergeQueue } from '../create-merge-queue';
import { applyExtensionMigrations } from '../extensions/extension-migrations';
import { createOrganization } from '../platform/auth/organizations';
import { requireRepositories } from '../platform/auth/repositories';
import type { Role } from '../platform/requests/roles';
import { createToken } from '../platform/auth/tokens';
import { Config } from '../platform/config/config';
import { readConfig } from '../platform/config/read-config';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres';
import { applyMigrations } from '../platform/migrations/migrations';
import { PrismaService } from '../platform/database/prisma.service';
import { newId } from '../platform/ids';

const HOST = 'memory.example';
const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 30_000;

export interface TestServiceOptions {
  readonly extensions: readonly Type[];
  readonly settings?: Partial<Config>;
}

export interface TestToken {
  readonly organization: string;
  readonly role: Role;
  /**
   * The repositories of `memory.example` to which the token is limited. Absent: all repositories of the organization.
   */
  readonly repositories?: readonly { readonly owner: string; readonly name: string }[];
}

export interface TestAnswer {
  readonly status: number;
  /** The body of the answer; empty when the answer is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * The whole running service with extensions. It has its own PostgreSQL, which is removed at the end, and one code host
 * in memory, `memory.example`. Any admin token may create a queue at this host.
 */
export class TestService {
  private constructor(
    readonly app: INestApplication,
    readonly url: string,
    private readonly database: EmbeddedPostgres,
    private readonly folder: string,
  ) {}

  static async start({ extensions, settings = {} }: TestServiceOptions): Promise<TestService> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-extension-test-'));
    chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user, who needs access to the folder
    const place = { dataDirectory: join(folder, 'postgres'), database: 'sluice', durability: 'none' } as const;
    let database: EmbeddedPostgres | undefined;
    try {
      database = await startEmbeddedPostgres(place);
      await applyMigrations(database.url);
      await applyExtensionMigrations(database.url, extensions);
      const environment = { SLUICE_DATA_DIR: folder, SLUICE_LOG_LEVEL: 'error', DATABASE_URL: database.url };
      const hosts = [{ host: HOST, kind: 'memory', pollSeconds: 1, settings: {} }];
      const config = new Config({ ...readConfig(environment), hosts, repositoryClaims: 'on', ...settings });
      const app = await listening(await createMergeQueue({ config, extensions }));
      const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
      return new TestService(app, `http://127.0.0.1:${port}`, database, folder);
    } catch (error) {
      await database?.stop();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The code host, for actions of a test: `memory.repository('acme', 'shop').openPullRequest(1)`. */
  get memory(): MemoryHost {
    return this.app.get(MemoryHostAdapter, { strict: false }).world(HOST);
  }

  /**
   * Creates a token, and its organization if it is missing. Each repository of a limited token must already have had a
   * queue.
   */
  async createToken(of: TestToken): Promise<string> {
    const { organization, role, repositories = [] } = of;
    const prisma = this.app.get(PrismaService);
    const now = new Date();
    const known = await prisma.organization.count({ where: { slug: organization } });
    if (known === 0) await createOrganization(prisma, { slug: organization }, now);
    const named = repositories.map((repository) => ({ host: HOST, ...repository }));
    const repositoryIds = await requireRepositories(prisma, organization, named, []);
    const request = { organizationSlug: organization, name: `${role} ${newId()}`, role, repositoryIds };
    return (await createToken(prisma, request, now)).token;
  }

  /** `path`: relative to `/v1/`. */
  get(path: string, token?: string): Promise<TestAnswer> {
    return this.ask(path, { method: 'GET' }, token);
  }

  post(path: string, body: object, token?: string): Promise<TestAnswer> {
    const headers = { 'content-type': 'application/json' };
    return this.ask(path, { method: 'POST', headers, body: JSON.stringify(body) }, token);
  }

  /** The page for a browser that signed in with the token. `path` is absolute, such as `/ui`. */
  async page(path: string, token: string): Promise<TestAnswer> {
    const form = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, redirect: 'manual' } as const;
    const signedIn = await fetch(`${this.url}/ui/sign-in`, { ...form, body: new URLSearchParams({ token }) });
    const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';', 1)[0]!);
    const response = await fetch(this.url + path, {
      headers: { accept: 'text/html', cookie: cookie.join('; ') },
      redirect: 'manual',
    });
    return { status: response.status, text: await response.text(), body: {} };
  }

  /**
   * Calls `look` again and again until it returns a value other than undefined, null and false. Throws after 30
   * seconds.
   */
  async eventually<T>(look: () => Promise<T | undefined | null | false>): Promise<T> {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await after(LOOK_EVERY_MS)) {
      const found = await look();
      if (found !== undefined && found !== null && found !== false) return found;
    }
    throw new Error(`It did not happen within ${PATIENCE_MS / 1_000} seconds.`);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async ask(path: string, request: RequestInit, token?: string): Promise<TestAnswer> {
    const headers = { ...request.headers, ...(token !== undefined && { 'x-api-token': token }) };
    const response = await fetch(`${this.url}/v1/${path}`, { ...request, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : {}) as TestAnswer['body'] };
  }
}

async function listening(app: INestApplication): Promise<INestApplication> {
  try {
    await app.listen(0, '127.0.0.1');
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}
