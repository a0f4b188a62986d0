import { NotOffered, StepRefused } from '../servers/tested-server';
import { Stage, type StageParts } from '../world/stage';
import { hideSecrets } from '../world/wire';
import type { CertifyRow, RowNeed, RowOutcome, RowResult } from './row';

export interface PlayParts extends StageParts {
  /** The reason why the run cannot meet a need; null: the run can meet it. */
  readonly whyNot: (need: RowNeed) => string | null;
  readonly limitMs: number;
  /** Aborts when the run has to stop. */
  readonly signal: AbortSignal;
}

/** Plays one row in a repository of its own, which the caller removes. Does not throw. */
export async function playRow(row: CertifyRow, parts: PlayParts): Promise<RowResult> {
  const begun = performance.now();
  const outcome = await outcomeOf(row, parts);
  return { group: row.group, name: row.name, outcome, milliseconds: Math.round(performance.now() - begun) };
}

async function outcomeOf(row: CertifyRow, parts: PlayParts): Promise<RowOutcome> {
  if (parts.signal.aborted) return { type: 'cut_short', why: 'the run was stopped' };
  const lacking = row.needs?.map(parts.whyNot).find((why) => why !== null);
  if (lacking !== undefined && lacking !== null) return { type: 'not_offered', why: lacking };
  let stage: Stage | null = null;
  try {
    stage = await Stage.open(parts);
    await withinLimit(row.run(stage), parts);
    return { type: 'passed' };
  } catch (error) {
    return outcomeAfter(error, stage, parts.troupe.secrets());
  } finally {
    await stage?.end();
  }
}

/** An error of the adapter counts as a difference, unless the server did not answer at all. */
function outcomeAfter(error: unknown, stage: Stage | null, secrets: readonly string[]): RowOutcome {
  const why = hideSecrets(error instanceof Error ? error.message : String(error), secrets);
  if (error instanceof NotOffered) return { type: 'not_offered', why };
  if (stage === null || error instanceof StepRefused || error instanceof RowStopped) return { type: 'cut_short', why };
  if (stage.wire.isSilent) return { type: 'cut_short', why: `the server gave no answer: ${why}` };
  return { type: 'differs', why, exchange: stage.wire.takeExchanges() };
}

/** The row took too long, or the run was stopped. */
class RowStopped extends Error {
  override readonly name = 'RowStopped';
}

async function withinLimit(work: Promise<void>, { limitMs, signal }: PlayParts): Promise<void> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new RowStopped(`it took longer than ${limitMs / 1000} s`)), limitMs);
    const onAbort = (): void => reject(new RowStopped('the run was stopped'));
    signal.addEventListener('abort', onAbort);
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  try {
    await Promise.race([work, stopped]);
  } finally {
    stop();
  }
}
