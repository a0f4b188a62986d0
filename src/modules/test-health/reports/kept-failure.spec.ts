import { keptFailure } from './kept-failure';
import { leastCpuMs } from '../../../../test/support/least-cpu';

describe('the kept part of a failure', () => {
  it('has the message and the stack of the failure, without colours and secrets', () => {
    const message = '\u001b[31mlogin failed\u001b[39m for postgres://app:hunter2@db/shop';
    expect(keptFailure({ message, text: '\n  PASSWORD=hunter2\n  at a.ts:1:2\n' })).toEqual({
      message: 'login failed for postgres://app:<secret>@db/shop',
      stack: 'PASSWORD=<secret>\n  at a.ts:1:2',
    });
  });

  it('is the beginning of a long message, and both ends of a long stack', () => {
    const { message, stack } = keptFailure({ message: 'm'.repeat(5_000), text: `first ${'x'.repeat(20_000)} last` });
    expect(message).toMatch(/^m{2000}… \(cut\)$/);
    expect(stack).toMatch(/^first x+\n… \(cut\)\nx+ last$/);
    expect(stack.length).toBeLessThan(8_050);
  });

  it.each([5_990, 5_991, 5_992, 17_990, 17_995])(
    'contains no part of a secret that a cut would split at %i',
    (before) => {
      const secret = 'ghp_q7Zp2Lm9Xc4Vb8Nk1Ws6Td3Rf5Yh0JuAbcd';
      const { stack } = keptFailure({
        message: '',
        text: `${'-'.repeat(before)} ${secret} ${'-'.repeat(20_000 - before)}`,
      });
      expect(stack).not.toMatch(/ghp_|q7Zp|Abcd/);
    },
  );

  it('contains no lone surrogate', () => {
    for (const blank of ['', ' ']) {
      const { message, stack } = keptFailure({
        message: `a${blank}${'😀'.repeat(3_000)}`,
        text: `a${blank}${'😀'.repeat(6_000)}b`,
      });
      expect([Buffer.from(message).toString(), Buffer.from(stack).toString()]).toEqual([message, stack]);
    }
  });

  it('attack 9: takes linear time for nested colours', () => {
    const coloursMs = (count: number): number => {
      const text = '\u001b['.repeat(count) + 'm'.repeat(count);
      return leastCpuMs(() => keptFailure({ message: '', text }));
    };
    // Quadratic time would be 64 times as long.
    expect(coloursMs(32_000)).toBeLessThan(24 * Math.max(coloursMs(4_000), 2));
  });
});
