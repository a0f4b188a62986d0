import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { readonly type: string; readonly id: string; readonly data: Record<string, unknown> };
}

/** A webhook consumer: a server that keeps the messages it receives, and answers as a test wants. */
export class WebhookReceiver {
  readonly messages: ReceivedMessage[] = [];
  /** Answers a message. If absent, every message is answered with 200. */
  answer: ((message: ReceivedMessage, response: ServerResponse) => void) | undefined;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const body = JSON.parse(text) as ReceivedMessage['body'];
        const message = { path: request.url ?? '', headers: request.headers, text, body };
        this.messages.push(message);
        if (this.answer) this.answer(message, response);
        else response.end('ok');
      });
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The secrets that signed a message. Verifies it by the text of Standard Webhooks, without code of the product. */
export function signersOf({ headers, text }: ReceivedMessage, secrets: readonly string[]): readonly string[] {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  const signatures = String(headers['webhook-signature']).split(' ');
  return secrets.filter((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return signatures.includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  });
}
