import type { ReplayFigures } from '../../engine/replay/figures';
import type { ComparedSettings } from '../../engine/replay/settings-comparison';
import type { ReadHistory } from './history-reader';
import type { PreviewedFigures, SettingsPreviewRecord } from './settings-preview.dto';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** `replayed`: whether time was up before the end. */
export function previewRecord(
  { since, until, asItWas, asItIs, asItWouldBe, grounds, reproduced }: ComparedSettings,
  { history, waiting, isCut }: ReadHistory,
  replayed: 'all of it' | 'a part',
): SettingsPreviewRecord {
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
        ? [`The history begins at ${instant(history.from)} with ${waiting} in the queue: taken as submitted then.`]
        : []),
      ...(isCut
        ? [`More happened than is replayed at once: what came after ${instant(history.until)} is left out.`]
        : []),
      ...(replayed === 'a part'
        ? [`Time was up: what came after ${through} is left out. Ask for less with since.`]
        : []),
    ],
  };
}

function figures({ timeToMerge, testTime, testRunsPerMerged, ...counts }: ReplayFigures): PreviewedFigures {
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
