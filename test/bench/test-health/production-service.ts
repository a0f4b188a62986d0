import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { createOrganization } from '../../../src/platform/auth/organizations';
import { createRepository } from '../../../src/platform/auth/repositories';
import { createToken } from '../../../src/platform/auth/tokens';
import { connectPrisma } from '../../../src/platform/database/prisma.service';
import { startOptions } from '../start-options';

const READY_WITHIN_MS = 60_000;
const ROOT = join(__dirname, '../../..');
const MAIN = join(ROOT, 'dist', 'main.js');

/**
 * The built service in its own process, as deployed. The service has the organization `acme` and the repository
 * local/acme/widgets.
 */
export class ProductionService {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
    readonly token: string,
  ) {}

  /** The database must have its migrations applied. */
  static async start(databaseUrl: string, dataDirectory: string): Promise<ProductionService> {
    const token = await prepare(databaseUrl);
    const port = await freePort();
    const environment = { DATABASE_URL: databaseUrl, SLUICE_DATA_DIR: dataDirectory, PORT: String(port) };
    const child = spawn(process.execPath, [...startOptions(ROOT), MAIN], {
      env: { ...process.env, ...environment, SLUICE_LOG_LEVEL: 'warn', SLUICE_RATE_LIMIT_PER_MINUTE: '0' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const service = new ProductionService(child, `http://127.0.0.1:${port}`, token);
    await service.becomesReady();
    return service;
  }

  /** Peak memory of the process in bytes since `forgetPeak`, as the kernel counts it, so no peak is missed. */
  get peakBytes(): number {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8')) ?? [];
    if (kib === undefined) throw new Error('This machine does not say how much memory a process took at most.');
    return Number(kib) * 1024;
  }

  forgetPeak(): void {
    writeFileSync(`/proc/${this.process.pid}/clear_refs`, '5');
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    this.process.kill();
    await once(this.process, 'exit');
  }

  private async becomesReady(): Promise<void> {
    const end = Date.now() + READY_WITHIN_MS;
    while (this.process.exitCode === null && Date.now() < end) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null);
      if (answer?.status === 200) return;
      await after(100);
    }
    throw new Error('The service did not start.');
  }
}

async function prepare(databaseUrl: string): Promise<string> {
  const prisma = connectPrisma(databaseUrl);
  const now = new Date();
  const organizationSlug = 'acme';
  try {
    await createOrganization(prisma, { slug: organizationSlug }, now);
    await createRepository(prisma, { organizationSlug, host: 'local', owner: 'acme', name: 'widgets' }, now, []);
    return (await createToken(prisma, { organizationSlug, name: 'ci', role: 'submit' }, now)).token;
  } finally {
    await prisma.$disconnect();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
