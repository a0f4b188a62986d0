import { executionAsyncResource } from 'node:async_hooks';
import { ManualClock } from '../../test/support/manual-clock';
import { TokenGate } from './token-gate';

const MINUTE_MS = 60_000;

describe('the gate of a refused token', () => {
  let clock: ManualClock;
  let gate: TokenGate;

  beforeEach(() => {
    clock = new ManualClock(new Date('2026-11-25T12:00:00Z'));
    gate = new TokenGate('git.example', clock);
    gate.refused('it was revoked');
  });

  const isClosed = (): boolean => {
    try {
      gate.pass();
      return false;
    } catch (error) {
      expect(String(error)).toContain('it was revoked');
      return true;
    }
  };

  it('lets one request through after a minute, and further requests once the host accepted the token', () => {
    expect(isClosed()).toBe(true);
    clock.advance(MINUTE_MS);
    expect([isClosed(), isClosed()]).toEqual([false, true]);
    gate.taken();
    expect([isClosed(), isClosed()]).toEqual([false, false]);
  });

  it('lets all requests of one task through, and no request of another task, until the token is refused again', async () => {
    clock.advance(MINUTE_MS);
    await gate.asOne(async () => {
      expect(isClosed()).toBe(false);
      await expect(gate.asOne(() => Promise.resolve())).rejects.toThrow('it was revoked');
      expect(isClosed()).toBe(false);
      gate.refused('it was revoked');
      expect(isClosed()).toBe(true);
    });
  });

  it('keeps one async context for all gates, so that many gates do not slow promises down', async () => {
    // This test can fail only on Node 20 and 22. Newer versions do not store async context in the resource.
    const carried = (of: TokenGate): Promise<number> =>
      of.asOne(async () => {
        await Promise.resolve();
        return Object.getOwnPropertySymbols(executionAsyncResource()).length;
      });
    const gates = Array.from({ length: 20 }, () => new TokenGate('git.example', clock));
    const alone = await carried(gates[0]!);
    for (const one of gates) await carried(one);
    expect(await carried(gates[0]!)).toBe(alone);
  });

  it('doubles the wait after each attempt, up to ten minutes', () => {
    const waits = [1, 2, 4, 8, 10, 10].map((minutes) => {
      clock.advance(minutes * MINUTE_MS - 1);
      const early = isClosed();
      clock.advance(1);
      const then = isClosed();
      gate.refused('it was revoked');
      return [early, then];
    });
    expect(waits).toEqual(Array.from({ length: 6 }, () => [true, false]));
  });
});
