import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ERROR_CODES } from '../errors/error-codes';
import { newId } from '../ids';
import { serviceBuild } from '../service-version';

const RETRY_AFTER_SECONDS = 5;

/**
 * Answers requests while the service waits for the database or migrates it: /healthz with 200, so that no supervisor
 * kills a migrating process, and every other path with 503.
 */
export class StartingAnswers {
  private checks: Record<string, { problem: string }> = { database: { problem: 'is not connected yet' } };
  private readonly server = createServer((request, response) => this.answer(request, response));

  listen(port: number, address: string | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, address, () => resolve());
    });
  }

  /** Sets the answer of /readyz from now on. */
  say(check: string, problem: string): void {
    this.checks = { [check]: { problem } };
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split('?')[0];
    response.setHeader('Content-Type', 'application/json; charset=utf-8').setHeader('Connection', 'close');
    if (path === '/healthz') {
      response.end(JSON.stringify({ status: 'alive', ...serviceBuild() }));
      return;
    }
    response.statusCode = 503;
    response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    const { example: message } = ERROR_CODES.UNAVAILABLE;
    const refusal = { error: { code: 'UNAVAILABLE', message, requestId: newId() } };
    response.end(JSON.stringify(path === '/readyz' ? { status: 'starting', checks: this.checks } : refusal));
  }
}
