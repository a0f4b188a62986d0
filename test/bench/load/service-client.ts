import { Agent, request } from 'node:http';

export interface Answer {
  /** The HTTP status; 0 if the service did not answer. */
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/**
 * The client closes an idle connection before the service does. Otherwise the client's next request could use a closed
 * connection.
 */
const IDLE_MS = 30_000;

/** Calls one process of the service over persistent connections, with one request at a time on each. */
export class ServiceClient {
  private readonly agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  post(operation: string, body: object): Promise<Answer> {
    const began = performance.now();
    const text = JSON.stringify(body);
    return new Promise((resolve) => {
      const answered = (status: number, answer: string) =>
        resolve({ status, text: answer, ms: performance.now() - began });
      const headers = { 'content-type': 'application/json', 'x-api-token': this.token };
      const sent = request(
        `${this.url}/v1/${operation}`,
        { method: 'POST', agent: this.agent, headers },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => answered(response.statusCode ?? 0, Buffer.concat(parts).toString()));
          response.on('error', (error) => answered(0, error.message));
        },
      );
      sent.on('error', (error) => answered(0, error.message));
      sent.end(text);
    });
  }
}
