import type { Debugger } from 'node:inspector';

export interface WatchdogOrder {
  /** A counter that the main thread increases in every turn of its event loop, at least once per `everyMs`. */
  readonly turns: SharedArrayBuffer;
  readonly everyMs: number;
  /** The process ends after so many checks without a turn, if it had a processor for at least half of that time. */
  readonly checks: number;
  /** The process ends after so many checks without a turn, even if it had no processor. */
  readonly checksAtMost: number;
  /** How long the debugger may take to interrupt the main thread. */
  readonly patienceMs: number;
  /** JavaScript that returns the name of the current work. */
  readonly currentWork: string;
  readonly format: 'json' | 'text';
}

/** The code that interrupted the main thread, and the work that it belonged to. */
interface Interrupted {
  readonly where: string;
  readonly work: string | null;
  readonly silentMs: number;
}

/** The program of the thread. The functions are passed as text, so they must use nothing except each other. */
export function watchdogProgram(): string {
  return `${sayWhatHangs.toString()}\n${interruptMainThread.toString()}\n(${watchMainThread.toString()})()`;
}

/** Counts checks instead of time: a process that was suspended had no turns, but no checks either. */
function watchMainThread(): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads') as { readonly workerData: WatchdogOrder };
  const turns = new Int32Array(workerData.turns);
  let seen = -1;
  let silent = 0;
  let usedAtTurn = 0;
  // An error must not end this thread, which is the only one that can end the process.
  process.on('uncaughtException', () => undefined);
  const timer = setInterval(() => {
    const now = Atomics.load(turns, 0);
    const { user, system } = process.cpuUsage();
    const usedMs = (user + system) / 1_000;
    silent = now === seen ? silent + 1 : 0;
    seen = now;
    if (silent === 0) usedAtTurn = usedMs;
    const silentMs = silent * workerData.everyMs;
    const isBusy = usedMs - usedAtTurn >= (workerData.checks * workerData.everyMs) / 2;
    if (silent < (isBusy ? workerData.checks : workerData.checksAtMost)) return;
    clearInterval(timer);
    let hasSaid = false;
    const say = (interrupted: Omit<Interrupted, 'silentMs'>): void => {
      if (!hasSaid) sayWhatHangs(workerData, { ...interrupted, silentMs });
      hasSaid = true;
    };
    // It also keeps this thread alive, which a session with the debugger does not.
    setTimeout(() => {
      say({ where: 'in code that the debugger cannot interrupt', work: null });
      process.kill(process.pid, 'SIGKILL');
    }, workerData.patienceMs);
    try {
      interruptMainThread(workerData, say);
    } catch {
      // A Node.js without a debugger: the process ends without the names.
    }
  }, workerData.everyMs);
}

/** Only the debugger can interrupt a loop or a regular expression. Ends the process after `say`. */
function interruptMainThread(
  { currentWork }: Pick<WatchdogOrder, 'currentWork'>,
  say: (interrupted: Omit<Interrupted, 'silentMs'>) => void,
): void {
  const { Session } = process.getBuiltinModule('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  const files = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => files.set(scriptId, url));
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    const nameOf = ({ functionName, location: { scriptId, lineNumber } }: Debugger.CallFrame): string =>
      `${functionName || 'a function'} (${files.get(scriptId) ?? ''}:${lineNumber + 1})`;
    const evaluate = (expression: string, then: (value: unknown) => void): void => {
      const asked = { callFrameId: callFrames[0]!.callFrameId, expression, returnByValue: true };
      session.post('Debugger.evaluateOnCallFrame', asked, (_, answer: Debugger.EvaluateOnCallFrameReturnType) =>
        then(answer.result.value),
      );
    };
    evaluate(currentWork, (work) => {
      const where = `in ${callFrames.slice(0, 6).map(nameOf).join(' < ')}`;
      say({ where, work: typeof work === 'string' ? work : null });
      // The main thread ends itself: in a container it may be process 1, which no signal from inside can end.
      evaluate('process.reallyExit(70)', () => undefined);
    });
  });
  session.post('Debugger.enable', () => session.post('Debugger.pause'));
}

/** Writes by itself, because the output of a thread passes through the main thread. */
function sayWhatHangs({ format }: WatchdogOrder, { where, work, silentMs }: Interrupted): void {
  const { writeSync } = process.getBuiltinModule('node:fs');
  const during = work === null ? '' : `, during ${work}`;
  const msg = `The event loop stood still for ${Math.round(silentMs / 1_000)} s${during}. The process ends now, so that it starts again. It was ${where}`;
  const time = new Date(performance.timeOrigin + performance.now());
  const line =
    format === 'json'
      ? JSON.stringify({ level: 'fatal', time: time.toISOString(), context: 'Watchdog', work, msg })
      : `${time.toLocaleTimeString('en-GB')} fatal: ${msg.replace(/\p{Cc}/gu, ' ')}`;
  try {
    writeSync(1, `${line}\n`);
  } catch {
    // A full pipe must not keep the process alive.
  }
}
