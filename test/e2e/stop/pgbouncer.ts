import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import { describeWhere } from '../../support/only-where';
import { makeThrowAwayFolder } from '../../support/throw-away-folder';
import { freePort } from '../../support/movable-postgres';

const TRIES = 200;
const TRY_AGAIN_MS = 50;

/** Like `describe`. Without PgBouncer the tests are skipped, and their titles say that PgBouncer is missing. */
export const describeWithPgBouncer = describeWhere({
  isMet: isInstalled(),
  otherwise: 'no PgBouncer is installed here',
});

/**
 * A real PgBouncer in transaction mode. PgBouncer opens fewer connections to the server than its clients open to
 * PgBouncer.
 */
export class PgBouncer {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(serverUrl: string, serverConnections: number): Promise<PgBouncer> {
    const server = new URL(serverUrl);
    const folder = makeThrowAwayFolder();
    chmodSync(folder, 0o755); // PgBouncer refuses to run as root.
    const port = await freePort();
    const name = server.pathname.slice(1);
    const place = `host=${server.hostname} port=${server.port} dbname=${name}`;
    const settings = join(folder, 'pgbouncer.ini');
    writeFileSync(
      settings,
      `[databases]
${name} = ${place} user=${server.username} password='${decodeURIComponent(server.password)}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
server_login_retry = 1
query_wait_timeout = 5
max_client_conn = 200
`,
      { mode: 0o644 },
    );
    const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn('pgbouncer', ['-q', ...asNobody, settings], { stdio: 'ignore' });
    const url = new URL(serverUrl);
    [url.hostname, url.port] = ['127.0.0.1', String(port)];
    const pooler = new PgBouncer(child, url.href);
    await pooler.answers();
    return pooler;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }

  private async answers(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const client = new Client({ connectionString: this.url });
      try {
        await client.connect();
        await client.query('SELECT 1');
        return;
      } catch (error) {
        if (tries === TRIES) throw error;
        await after(TRY_AGAIN_MS);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }
}

function isInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
