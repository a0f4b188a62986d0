import type { SettingsPreview } from '../../processing/replay/settings-preview';
import { table } from '../reply';

type Figures = SettingsPreview['asItIs'];

/** The answer for people: a table with three columns, and the data on which it is based. */
export function replayLines(answer: SettingsPreview): string[] {
  const { since, until, tests, reproduced, leftOut } = answer;
  const columns = [answer.asItWas, answer.asItIs, answer.asItWouldBe];
  const row = (name: string, of: (figures: Figures) => string | number): string[] => [
    name,
    ...columns.map((figures) => String(of(figures))),
  ];
  const all = tests.tested + tests.concluded + tests.assumed;
  return [
    `Submitted from ${since}, replayed up to ${until}:`,
    ...table([
      ['', 'as it was', 'as it is', 'as it would be'],
      row('merged', ({ merged }) => merged),
      row('failed', ({ failed }) => failed),
      row('  wrongly', ({ failedWrongly }) => failedWrongly),
      row('cancelled', ({ cancelled }) => cancelled),
      row('time to merge, P50', ({ timeToMerge }) => duration(timeToMerge?.p50Seconds)),
      row('               P90', ({ timeToMerge }) => duration(timeToMerge?.p90Seconds)),
      row('               P95', ({ timeToMerge }) => duration(timeToMerge?.p95Seconds)),
      row('test runs', ({ testRuns }) => testRuns),
      row('  for each merged', ({ testRunsPerMerged }) => testRunsPerMerged?.toFixed(2) ?? '-'),
      row('  in hours', ({ testMinutes }) => (testMinutes / 60).toFixed(1)),
    ]),
    '',
    `Test results with these settings: ${all}. Known: ${tests.tested}. Results concluded from failures of the history: ${tests.concluded}. Assumed to pass, because their parts passed: ${tests.assumed}.`,
    `${reproduced.same} of ${reproduced.of} pull requests end in the column "as it is" as they did in the history.`,
    ...leftOut,
  ];
}

function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  return seconds < 120
    ? `${seconds} s`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3_600).toFixed(1)} h`;
}
