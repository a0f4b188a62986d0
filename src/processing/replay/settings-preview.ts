import type { QueueHistory } from './history';
import type { ReplayFigures, ReplayGrounds } from './figures';
import type { ComparedSettings } from './settings-comparison';

/** One column of a preview. */
interface PreviewFigures extends Omit<ReplayFigures, 'timeToMerge' | 'testTime'> {
  readonly timeToMerge: {
    readonly p50Seconds: number;
    readonly p90Seconds: number;
    readonly p95Seconds: number;
  } | null;
  readonly testMinutes: number;
}

/** The answer of `previewSettings`, and the result of the replay of a file. */
export interface SettingsPreview {
  readonly since: string;
  readonly until: string;
  readonly asItWas: PreviewFigures;
  readonly asItIs: PreviewFigures;
  readonly asItWouldBe: PreviewFigures;
  readonly tests: ReplayGrounds;
  readonly reproduced: { readonly same: number; readonly of: number };
  /** Sentences about the parts of the past that the preview leaves out. */
  readonly leftOut: readonly string[];
}

/** A history, and the parts of a queue's past that it leaves out. */
export interface ReadHistory {
  readonly history: QueueHistory;
  /**
   * The number of pull requests in the queue when the history begins. The replay of their first days differs from what
   * happened.
   */
  readonly waiting: number;
  /** Whether the log has more lines than were read. */
  readonly isCut: boolean;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** The preview of other settings. `replayed`: the comparison, and whether the time limit was reached before its end. */
export function settingsPreview(
  { since, until, asItWas, asItIs, asItWouldBe, grounds, reproduced }: ComparedSettings,
  { history, waiting, isCut }: ReadHistory,
  replayed: 'all of it' | 'a part',
): SettingsPreview {
  const through = instant(until);
  return {
    since: instant(since),
    until: through,
    asItWas: figures(asItWas),
    asItIs: figures(asItIs),
    asItWouldBe: figures(asItWouldBe),
    tests: { ...grounds },
    reproduced: { ...reproduced },
    leftOut: [
      ...(waiting > 0
        ? [
            `The history begins at ${instant(history.from)} with ${waiting} in the queue: the replay treats them as submitted at that time.`,
          ]
        : []),
      ...underWayIn(history),
      ...(isCut
        ? [`The history is too long for one replay: everything after ${instant(history.until)} is left out.`]
        : []),
      ...(replayed === 'a part'
        ? [
            `The replay reached its time limit: everything after ${through} is left out. Replay a shorter time with since.`,
          ]
        : []),
    ],
  };
}

function underWayIn({ runs, landings }: QueueHistory): string[] {
  const tests = runs.filter(({ kind, isUnderWay }) => isUnderWay && kind !== 'direct').length;
  const merges = landings.filter(({ isUnderWay }) => isUnderWay).length;
  const parts = [...counted(tests, 'test run'), ...counted(merges, 'merge')];
  if (parts.length === 0) return [];
  const [verb, they] = tests + merges === 1 ? ['was', 'it'] : ['were', 'they'];
  return [`When the history ends, ${parts.join(' and ')} ${verb} under way: how ${they} ended is left out.`];
}

function counted(count: number, thing: string): string[] {
  return count === 0 ? [] : [`${count} ${thing}${count === 1 ? '' : 's'}`];
}

function figures({ timeToMerge, testTime, testRunsPerMerged, ...counts }: ReplayFigures): PreviewFigures {
  return {
    ...counts,
    timeToMerge: timeToMerge && {
      p50Seconds: Math.round(timeToMerge.p50 / SECOND_MS),
      p90Seconds: Math.round(timeToMerge.p90 / SECOND_MS),
      p95Seconds: Math.round(timeToMerge.p95 / SECOND_MS),
    },
    testMinutes: Math.round(testTime / MINUTE_MS),
    testRunsPerMerged: testRunsPerMerged === null ? null : Math.round(testRunsPerMerged * 100) / 100,
  };
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
