export interface WatchdogOrder {
  /** A counter that the main thread increases in every turn of its event loop, at least once per `everyMs`. */
  readonly turns: SharedArrayBuffer;
  readonly everyMs: number;
  /** The process ends after so many checks without a turn. */
  readonly checks: number;
  /** How long the debugger may take to interrupt the main thread. */
  readonly patienceMs: number;
  /** JavaScript that returns the name of the current work. */
  readonly currentWork: string;
  readonly format: 'json' | 'text';
}

/**
 * Runs in a thread of its own, from its text: it may use nothing that is declared outside of it. Only the debugger can
 * interrupt the main thread, even in a regular expression. It writes by itself, because the output of a thread passes
 * through the main thread.
 */
export function watchMainThread(): void {
  const { workerData } = require('node:worker_threads') as typeof import('node:worker_threads');
  const { Session } = require('node:inspector') as typeof import('node:inspector');
  const { writeSync } = require('node:fs') as typeof import('node:fs');
  const order = workerData as WatchdogOrder;
  const turns = new Int32Array(order.turns);
  let seen = -1;
  let silent = 0;
  let hasSaid = false;
  // Counting checks instead of time: a process that was suspended had no turns, and no checks.
  const timer = setInterval(() => {
    const now = Atomics.load(turns, 0);
    silent = now === seen ? silent + 1 : 0;
    seen = now;
    if (silent < order.checks) return;
    clearInterval(timer);
    // It also keeps this thread alive, which a session with the debugger does not.
    setTimeout(() => {
      if (!hasSaid) say('in code that the debugger cannot interrupt', null);
      process.kill(process.pid, 'SIGKILL');
    }, order.patienceMs);
    try {
      interrupt();
    } catch {
      // A Node.js without inspector: the process ends without the names.
    }
  }, order.everyMs);

  function interrupt(): void {
    const session = new Session();
    session.connectToMainThread();
    const files = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => files.set(scriptId, url));
    session.on('Debugger.paused', ({ params: { callFrames } }) => {
      const at = callFrames.slice(0, 6).map(({ functionName, location: { scriptId, lineNumber } }) => {
        const file = files.get(scriptId) ?? '';
        return `${functionName || 'a function'} (${file}:${lineNumber + 1})`;
      });
      const { callFrameId } = callFrames[0]!;
      const evaluate = (expression: string, then: (value: unknown) => void): void =>
        session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression, returnByValue: true }, (_, answer) =>
          then(answer?.result?.value),
        );
      evaluate(order.currentWork, (work) => {
        say(`in ${at.join(' < ')}`, typeof work === 'string' ? work : null);
        // The main thread ends itself: in a container it may be process 1, which no signal from inside can end.
        evaluate('process.reallyExit(70)', () => undefined);
      });
    });
    session.post('Debugger.enable', () => session.post('Debugger.pause'));
  }

  function say(where: string, work: string | null): void {
    hasSaid = true;
    const seconds = Math.round((order.everyMs * order.checks) / 1_000);
    const during = work === null ? '' : `, during ${work}`;
    const msg = `The event loop stood still for ${seconds} s${during}. The process ends now, so that it starts again. It was ${where}`;
    const time = new Date();
    const line =
      order.format === 'json'
        ? JSON.stringify({ level: 'fatal', time: time.toISOString(), context: 'Watchdog', work, msg })
        : `${time.toLocaleTimeString('en-GB')} fatal: ${msg.replace(/\p{Cc}/gu, ' ')}`;
    try {
      writeSync(1, `${line}\n`);
    } catch {
      // A full pipe must not keep the process alive.
    }
  }
}
