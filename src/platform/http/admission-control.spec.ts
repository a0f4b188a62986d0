import { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { releaseSlot, lendSlot, AdmissionControl, type RequestPriority } from './admission-control';

class Answer extends EventEmitter {
  closed = false;

  end(): void {
    this.closed = true;
    this.emit('close');
  }

  get response(): Response {
    return this as unknown as Response;
  }
}

describe('AdmissionControl', () => {
  let admission: AdmissionControl;
  let log: string[];
  let isBacklogLarge: boolean;

  beforeEach(() => {
    jest.useFakeTimers();
    isBacklogLarge = false;
    admission = new AdmissionControl(() => isBacklogLarge);
    log = [];
  });

  afterEach(() => jest.useRealTimers());

  const settled = () => jest.advanceTimersByTimeAsync(0);

  function come(priority: RequestPriority, name: string = priority): Answer {
    const answer = new Answer().setMaxListeners(0);
    const said = (what: string) => () => void log.push(`${name} ${what}`);
    admission
      .enter(answer.response, priority)
      .then(said('begins'), (error: { message: string; retryAfterSeconds: number }) => {
        expect(error.message).toMatch(
          /^The service has more work than it accepts at a time; try again in [5-9] seconds\.$/,
        );
        expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(5);
        said('is refused')();
      });
    return answer;
  }

  async function fill(priority: RequestPriority, count: number): Promise<Answer[]> {
    const answers = Array.from({ length: count }, () => come(priority));
    await settled();
    expect(log.splice(0)).toEqual(Array<string>(count).fill(`${priority} begins`));
    return answers;
  }

  it('runs 64 requests, with 8 slots reserved for first priority, and at most 32 with new work', async () => {
    await fill('last', 32);
    come('last', 'one too many');
    const [usual] = await fill('usual', 24);
    come('usual', 'one too many');
    const [first] = await fill('first', 8);
    come('first', 'one too many');
    await settled();
    expect(log).toEqual([]);
    first!.end();
    usual!.end();
    await settled();
    expect(log).toEqual(['one too many begins', 'one too many begins']);
  });

  it('starts requests of first priority first, in the order of arrival', async () => {
    const [, ...busy] = [...(await fill('usual', 56)), ...(await fill('first', 8))];
    for (const name of ['new 1', 'new 2']) come('last', name);
    for (const name of ['read 1', 'read 2']) come('usual', name);
    for (const name of ['result 1', 'result 2']) come('first', name);
    for (const answer of busy.slice(0, 6)) answer.end();
    await settled();
    expect(log).toEqual(['result 1', 'result 2', 'read 1', 'read 2', 'new 1', 'new 2'].map((name) => `${name} begins`));
  });

  it('never lets a later request overtake a waiting request of the same priority', async () => {
    const busy = await fill('last', 32);
    come('last', 'waits');
    busy[0]!.end();
    come('last', 'came later');
    await settled();
    expect(log).toEqual(['waits begins']);
  });

  it('refuses a request that has waited for ten seconds, and a request that arrives when too many wait', async () => {
    await fill('last', 32);
    come('last', 'waits');
    await jest.advanceTimersByTimeAsync(5_000);
    for (let more = 1; more < 500; more++) come('last', 'waits, too');
    come('last', 'one too many');
    await settled();
    expect(log).toEqual(['one too many is refused']);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(log).toEqual(['one too many is refused', 'waits is refused']);
  });

  it('begins no new work during a large backlog, and begins all waiting work afterwards', async () => {
    isBacklogLarge = true;
    for (const priority of ['last', 'last', 'usual', 'first'] as const) come(priority);
    await settled();
    expect(log.splice(0)).toEqual(['usual begins', 'first begins']);
    admission.beginNext();
    await settled();
    expect(log).toEqual([]);
    isBacklogLarge = false;
    admission.beginNext();
    await settled();
    expect(log).toEqual(['last begins', 'last begins']);
  });

  it('refuses new work that a large backlog delays for ten seconds', async () => {
    isBacklogLarge = true;
    come('last');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(log).toEqual(['last is refused']);
  });

  it('logs once a minute how many requests it refused', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    isBacklogLarge = true;
    for (let round = 0; round < 3; round++) {
      for (let one = 0; one < 5; one++) come('last');
      await jest.advanceTimersByTimeAsync(30_000);
    }
    const counts = warn.mock.calls.map(
      ([line]) => /refused with 503 since the last such line: (\d+)\./.exec(String(line))?.[1],
    );
    warn.mockRestore();
    expect(counts).toEqual(['1', '10']);
  });

  it('forgets clients that have disconnected', async () => {
    const busy = await fill('last', 32);
    come('last', 'goes').end();
    come('last', 'stays');
    busy[0]!.end();
    await settled();
    expect(log).toEqual(['goes is refused', 'stays begins']);
  });

  it('frees the slot of a stream once it is open, and only once', async () => {
    const [stream] = await fill('last', 32);
    releaseSlot(stream!.response);
    releaseSlot(stream!.response);
    stream!.end();
    await fill('last', 1);
    come('last', 'waits');
    await settled();
    expect(log).toEqual([]);
  });

  it('lends the slot of a slow client to other requests until the body of the client has arrived', async () => {
    const [slow] = await fill('last', 32);
    let arrive = (): void => undefined;
    const body = new Promise<void>((resolve) => (arrive = resolve));
    const read = lendSlot(slow!.response, body);
    come('last', 'waits');
    await jest.advanceTimersByTimeAsync(999);
    expect(log).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(log.splice(0)).toEqual(['waits begins']);
    arrive();
    await read;
    come('last', 'comes later');
    slow!.end();
    await settled();
    expect(log).toEqual([]);
  });

  it('takes no slot again for a slow client that left before its body had arrived', async () => {
    const [slow] = await fill('last', 32);
    let cutOff = (): void => undefined;
    const body = new Promise<void>((_, reject) => (cutOff = () => reject(new Error('aborted'))));
    const read = lendSlot(slow!.response, body).catch(() => undefined);
    await jest.advanceTimersByTimeAsync(1_000);
    slow!.end();
    cutOff();
    await read;
    come('last', 'comes later');
    await settled();
    expect(log).toEqual(['comes later begins']);
  });
});
