import { connect, type Socket } from 'node:net';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Each connection sends these bodies one after another, repeatedly. */
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * Posts requests on persistent connections, at most one request at a time on each connection. Returns answers per
 * second. Every answer must be 200 and have a content length. Uses plain sockets, because `node:http` would take as
 * much CPU as the measured service.
 */
export async function answersPerSecond(load: Load): Promise<number> {
  const { hostname, port } = new URL(load.url);
  const requests = load.bodies.map((body) => requestOf(load, body));
  const until = performance.now() + load.seconds * 1_000;
  const begun = performance.now();
  const counts = await Promise.all(
    Array.from({ length: load.connections }, () => keepAsking(connect(Number(port), hostname), requests, until)),
  );
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return answers / ((performance.now() - begun) / 1_000);
}

function requestOf({ url, headers }: Load, body: string): Buffer {
  const { host, pathname } = new URL(url);
  const all = { host, ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}${END_OF_HEAD}${body}`);
}

/** Resolves with the number of answers on this connection. */
function keepAsking(socket: Socket, requests: readonly Buffer[], until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    /** Missing bytes of the present answer; null until the answer's head is complete. */
    let missing: number | null = null;
    let head: Buffer = Buffer.alloc(0);
    const ask = () => socket.write(requests[answers % requests.length]!);
    const refuse = (problem: string) => socket.destroy(new Error(problem));
    socket.setNoDelay(true).once('connect', ask).once('error', reject);
    socket.once('end', () => refuse('The server closed a connection.'));
    socket.on('data', (chunk) => {
      if (missing === null) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf(END_OF_HEAD);
        if (end < 0) return;
        const length = lengthOf(head.toString('latin1', 0, end));
        if (length === null) return refuse(head.toString('utf8', 0, 500));
        missing = length - (head.length - end - END_OF_HEAD.length);
      } else missing -= chunk.length;
      if (missing > 0) return;
      answers += 1;
      missing = null;
      head = Buffer.alloc(0);
      if (performance.now() < until) return ask();
      socket.destroy();
      resolve(answers);
    });
  });
}

/** Null if the answer's status is not 200 or the answer is chunked. */
function lengthOf(head: string): number | null {
  const [, length] = /^HTTP\/1\.1 200 [^]*^content-length: (\d+)\r?$/im.exec(head) ?? [];
  return length === undefined ? null : Number(length);
}
