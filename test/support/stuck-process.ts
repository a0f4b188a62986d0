// node -r <TypeScript> stuck-process.ts KIND: a process with a watchdog, whose event loop stands still.
import { pbkdf2Sync } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { startWatchdog } from '../../src/platform/lifecycle/watchdog';
import { runAs } from '../../src/platform/requests/current-work';

const KINDS: Readonly<Record<string, () => unknown>> = {
  'an endless loop': function endlessLoop() {
    for (;;);
  },
  'a regular expression': function slowExpression() {
    return /^(a+)+$/.test(`${'a'.repeat(60)}b`);
  },
  'a wait without a processor': () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000),
  'an endless wait': () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  'native code': () => pbkdf2Sync('a', 'b', 2_000_000_000, 64, 'sha512'),
  // Turns that are slow, but come.
  'busy turns': async () => {
    for (let turn = 0; turn < 20; turn++) {
      const until = performance.now() + 50;
      while (performance.now() < until);
      await after(1);
    }
  },
};

async function work(kind: string): Promise<void> {
  await after(10);
  await KINDS[kind]!();
}

const [kind = '', format = 'json'] = process.argv.slice(2);
const isUninterruptible = ['native code', 'an endless wait'].includes(kind);
const patienceMs = isUninterruptible ? 100 : 120_000;
const checksAtMost = kind === 'an endless wait' ? 10 : 1_200;
startWatchdog({ format: format === 'text' ? 'text' : 'json', everyMs: 100, checks: 5, checksAtMost, patienceMs });
// Other work begins later and waits, so that the last work to begin is not the one that hangs.
void runAs(
  'the job that hangs',
  (name) => name,
  () => work(kind),
).then(() => console.log('ended by itself'));
void runAs(
  'the job that waits',
  (name) => name,
  () => after(5),
);
