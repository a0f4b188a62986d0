import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { ApiClient } from '../../src/cli/api-client';
import { postStream } from '../../src/cli/upload/post-stream';
import { exchange } from '../../src/code-hosts/forge/client/exchange';
import { ask } from '../../src/modules/doctor/outside/ask';
import { listen } from '../../src/modules/doctor/outside/event-stream';
import { networkList } from '../../src/platform/config/networks';
import { postMessage } from '../../src/processing/notifications/sending/post-message';

/** How the server answers a request: it writes `bytes`, and then ends, resets or keeps the connection. */
interface Answer {
  readonly bytes: string;
  readonly then: 'end' | 'reset' | 'keep';
}

const LOOPBACK = networkList(['127.0.0.0/8']);
/** Long enough for an answer on this machine; only answers that never come wait for it. */
const SHORT_MS = 300;
const CLOSING = { connection: 'close' };
const SWITCHING = { connection: 'upgrade', upgrade: 'websocket' };
const STATUSES = Array.from({ length: 500 }, (_, i) => 100 + i);

/** Every way in which the service or its command sends a request. Each resolves to the status, or throws. */
const CLIENTS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'a webhook delivery': (url) => postMessage({ url, headers: {}, body: '{}' }, LOOPBACK),
  'a question of the doctor': (url) => ask(url),
  'an event stream of the doctor': (url) => listen(url, 'token', { firstBytesMs: 5_000, openMs: 5_000 }),
  'a request of the command line': (url) => new ApiClient({ url, token: 'token' }).get('any'),
  'an upload of the command line': (url) => postStream(url, {}, someBytes()),
  'a request to a code host': (url) => exchange({ host: 'host', apiUrl: url, authorization: {} }, 'GET', '/any', {}),
};
/** The clients whose patience a test can set. */
const IMPATIENT: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'a webhook delivery': (url) => postMessage({ url, headers: {}, body: '{}' }, LOOPBACK, SHORT_MS),
  'a question of the doctor': (url) => ask(url, { limitMs: SHORT_MS }),
  'an event stream of the doctor': (url) => listen(url, 'token', { firstBytesMs: SHORT_MS, openMs: SHORT_MS }),
};

describe.each(Object.entries(CLIENTS))('An outgoing connection: %s', (_, send) => {
  it('ends after every status from 100 to 599', async () => {
    const answers = STATUSES.map((status): Answer => ({ bytes: headOf(status, CLOSING), then: 'end' }));
    expect(await endsOf(send, answers)).toHaveLength(answers.length);
  });

  it('ends if an answer of any kind offers another protocol', async () => {
    const statuses = STATUSES.filter((status) => status < 200 || status % 100 === 26);
    const answers = statuses.map((status): Answer => ({ bytes: headOf(status, SWITCHING), then: 'end' }));
    expect(await endsOf(send, answers)).toHaveLength(answers.length);
  });

  it('ends if the other side keeps the connection after it switched the protocol', async () => {
    const switched = headOf(101, SWITCHING);
    const [end] = await endsOf(send, [{ bytes: switched, then: 'keep' }]);
    expect(end).not.toContain('"delivered":true');
  });

  it('ends wherever the answer breaks off', async () => {
    const answers = (['end', 'reset'] as const).flatMap((then) => everyPrefix().map((bytes) => ({ bytes, then })));
    expect(await endsOf(send, answers)).toHaveLength(answers.length);
  });
});

describe.each(Object.entries(IMPATIENT))('An outgoing connection: %s', (_, send) => {
  it('ends at its time limit wherever the answer stops', async () => {
    const answers = everyPrefix().map((bytes): Answer => ({ bytes, then: 'keep' }));
    expect(await endsOf(send, answers)).toHaveLength(answers.length);
  });
});

describe('A webhook delivery', () => {
  it('is delivered only by a status from 200 to 299', async () => {
    const answers = STATUSES.map((status): Answer => ({ bytes: headOf(status, CLOSING), then: 'end' }));
    const ends = await endsOf(CLIENTS['a webhook delivery']!, answers);
    const delivered = STATUSES.filter((_, i) => ends[i]!.includes('"delivered":true'));
    expect(delivered).toEqual(STATUSES.filter((status) => status >= 200 && status < 300));
  });

  it('names a switch to another protocol as its problem', async () => {
    const switched = headOf(101, SWITCHING);
    const [end] = await endsOf(CLIENTS['a webhook delivery']!, [{ bytes: switched, then: 'keep' }]);
    expect(end).toContain('"problem":"answered 101, a switch to another protocol"');
  });
});

/** How each request ended, as JSON or the text of its error. */
async function endsOf(send: (url: string) => Promise<unknown>, answers: readonly Answer[]): Promise<readonly string[]> {
  const server = await Answering.open(answers);
  try {
    const ends: string[] = [];
    // One after another would take long, and all at once would open a thousand connections.
    for (let from = 0; from < answers.length; from += 100) {
      const some = answers.slice(from, from + 100).map(async (_, i) => {
        try {
          return JSON.stringify(await send(server.urlOf(from + i)));
        } catch (error) {
          return String(error);
        }
      });
      ends.push(...(await Promise.all(some)));
    }
    return ends;
  } finally {
    server.close();
  }
}

/** A server that gives each request the answer whose number stands in its path. */
class Answering {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly answers: readonly Answer[],
  ) {
    server.on('connection', (socket) => this.serve(socket));
  }

  static async open(answers: readonly Answer[]): Promise<Answering> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Answering(server, answers);
  }

  urlOf(answer: number): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${answer}`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    let request = '';
    socket.on('data', (part) => {
      if (request.includes('\r\n\r\n')) return;
      request += part.toString('latin1');
      if (!request.includes('\r\n\r\n')) return;
      const { bytes, then } = this.answers[Number(/\/(\d+)/.exec(request)?.[1])]!;
      socket.write(bytes, () => {
        if (then === 'end') socket.end();
        if (then === 'reset') socket.resetAndDestroy();
      });
    });
  }
}

function headOf(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Any\r\n${lines.join('')}\r\n`;
}

/** A short answer, broken off after each of its characters. */
function everyPrefix(): readonly string[] {
  const whole = 'HTTP/1.1 500 No\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nno luck.\n';
  return Array.from(whole, (_, i) => whole.slice(0, i));
}

async function* someBytes(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('<testsuites/>'));
}
