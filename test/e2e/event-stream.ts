export interface StreamedEvent {
  readonly event: string;
  readonly data: string;
}

/** Server-sent events as a browser receives them, one after another. */
export class EventStream {
  private buffer = '';

  private constructor(
    readonly response: Response,
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly abort: AbortController,
  ) {}

  static open(url: string, session: string | undefined): Promise<EventStream> {
    return EventStream.begin(url, { cookie: `sluice_session=${session ?? ''}` });
  }

  static withToken(url: string, token: string): Promise<EventStream> {
    return EventStream.begin(url, { 'x-api-token': token });
  }

  private static async begin(url: string, caller: Record<string, string>): Promise<EventStream> {
    const abort = new AbortController();
    const headers = { ...caller, accept: 'text/event-stream' };
    const response = await fetch(url, { headers, signal: abort.signal, redirect: 'manual' });
    if (response.body === null) throw new Error(`${url} answers ${response.status} without a body.`);
    return new EventStream(response, response.body.getReader(), abort);
  }

  /** The next event; null if the service ended the stream. */
  async next(): Promise<StreamedEvent | null> {
    for (;;) {
      const end = this.buffer.indexOf('\n\n');
      if (end >= 0) {
        const block = this.buffer.slice(0, end);
        this.buffer = this.buffer.slice(end + 2);
        const fieldOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
        const event = fieldOf('event');
        if (event !== undefined) return { event, data: fieldOf('data') ?? '' };
        continue;
      }
      const { done, value } = await this.reader.read();
      if (done) return null;
      this.buffer += Buffer.from(value).toString();
    }
  }

  close(): void {
    this.abort.abort();
  }
}
