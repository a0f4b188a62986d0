import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { currentWork } from '../requests/current-work';
import { watchdogProgram, type WatchdogOrder } from './watchdog-thread';

const EVERY_MS = 1_000;
const CHECKS = 15;
const CHECKS_AT_MOST = 60;
const PATIENCE_MS = 10_000;
/** The global function by which the watchdog's thread asks for the current work. */
const ASKED = Symbol.for('sluice.current-work');

export interface WatchdogOptions {
  readonly format: WatchdogOrder['format'];
  readonly everyMs?: number;
  readonly checks?: number;
  readonly checksAtMost?: number;
  readonly patienceMs?: number;
}

/**
 * Ends this process with code 70 if its event loop stands still for 15 s: then the process answers no request, and no
 * signal handler runs. On a machine without a free processor the process gets up to a minute. The log says what the
 * process worked on. Does nothing under a debugger, which stops the event loop on purpose. Returns a function that
 * stops the watch.
 */
export function startWatchdog({
  format,
  everyMs = EVERY_MS,
  checks = CHECKS,
  checksAtMost = CHECKS_AT_MOST,
  patienceMs = PATIENCE_MS,
}: WatchdogOptions): () => void {
  if (debuggerUrl() !== undefined) return () => undefined;
  Object.assign(globalThis, { [ASKED]: currentWork });
  const turns = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(turns);
  const beat = setInterval(() => Atomics.add(counter, 0, 1), everyMs / 2).unref();
  const askedAs = `globalThis[Symbol.for(${JSON.stringify(ASKED.description)})]()`;
  const workerData: WatchdogOrder = { turns, everyMs, checks, checksAtMost, patienceMs, currentWork: askedAs, format };
  // It gets none of the environment, which holds secrets.
  const options = { eval: true, workerData, env: {}, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: 1 } };
  const thread = new Worker(watchdogProgram(), options);
  thread.unref();
  thread.on('error', () => undefined);
  return () => {
    clearInterval(beat);
    void thread.terminate();
  };
}
