import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { StepRefused } from '../servers/tested-server';

export interface TakenDelivery {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const SECRET_BYTES = 24;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_DELIVERIES = 200;
const SIGNATURES = ['x-gitea-signature', 'x-forgejo-signature', 'x-hub-signature-256'];

/** Receives webhooks during a run, at an address that the server reaches. */
export class WebhookListener {
  private readonly server: Server;
  private deliveries: TakenDelivery[] = [];
  /** The path is secret, so that nobody else can send webhooks to the listener. */
  private readonly path = `/${randomBytes(SECRET_BYTES).toString('hex')}`;
  readonly secret = randomBytes(SECRET_BYTES).toString('hex');

  private constructor(private readonly base: string) {
    this.server = createServer((message, response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      message.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MOST_BYTES) chunks.push(chunk);
      });
      message.on('end', () => {
        const isTaken = message.method === 'POST' && message.url === this.path && bytes <= MOST_BYTES;
        if (isTaken)
          this.deliveries = [...this.deliveries, { headers: message.headers, body: Buffer.concat(chunks) }].slice(
            -MOST_DELIVERIES,
          );
        response.writeHead(isTaken ? 204 : 404).end();
      });
    });
  }

  /** Listens on the port of the address, on all interfaces of this machine. Throws StepRefused. */
  static async open(address: string): Promise<WebhookListener> {
    const { port, protocol } = new URL(address);
    const listener = new WebhookListener(address.replace(/\/+$/, ''));
    const usual = protocol === 'https:' ? '443' : '80';
    await new Promise<void>((resolve, reject) => {
      listener.server.once('error', (error) => reject(new StepRefused(`--webhook-url: ${error.message}`)));
      listener.server.listen(Number(port || usual), resolve);
    });
    return listener;
  }

  /** The URL to which the server sends webhooks. */
  get url(): string {
    return `${this.base}${this.path}`;
  }

  all(): readonly TakenDelivery[] {
    return this.deliveries;
  }

  isSigned({ headers, body }: TakenDelivery): boolean {
    const expected = createHmac('sha256', this.secret).update(body).digest('hex');
    return SIGNATURES.some((name) => String(headers[name] ?? '').replace(/^sha256=/, '') === expected);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
