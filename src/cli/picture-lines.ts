import type { PictureAnswer, RunAnswer } from './picture-answers';
import { table } from './reply';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * The maximum number of pull requests ahead that a tree shows. A tree with a longer list shows the first and the last
 * ones.
 */
const MOST_AHEAD = 4;

/** A duration for people: `4 min`, `2 h 5 min`. */
export function lengthOf(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1_000)} s`;
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor((minutes * MINUTE_MS) / HOUR_MS);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/**
 * The contents of a run's tree, in order, with the run's own pull requests in brackets: `main 3f2a1c0d + #412 +
 * [#413]`.
 */
function treeOf({ baseSha, builtOn, builtOnCount, members }: RunAnswer, branch: string): string {
  const ahead = builtOn.map((number) => `#${number}`);
  const shown =
    builtOnCount <= MOST_AHEAD
      ? ahead
      : [
          ...(builtOn.length === builtOnCount ? ahead.slice(0, 1) : []),
          `${moreThan(builtOn, builtOnCount)} more`,
          ...ahead.slice(-1),
        ];
  const own = members.length === 0 ? [] : [`[${members.map(({ prNumber }) => `#${prNumber}`).join(', ')}]`];
  return [`${branch} ${baseSha.slice(0, 8)}`, ...shown, ...own].join(' + ');
}

function moreThan(builtOn: readonly number[], count: number): number {
  return builtOn.length === count ? count - 2 : count - 1;
}

/** The state of a queue for a terminal. */
export function pictureLines(picture: PictureAnswer): string[] {
  const { line, passed, searches, nextBatch } = picture;
  const group = (what: string, { members, waitingFor }: PictureAnswer['line'][number]): string[] => [
    `  ${what}${numbers(members)}`,
    ...sentence(waitingFor),
  ];
  return [
    ...headLines(picture),
    ...section(
      'Test runs in progress',
      picture.runs.flatMap((run) => runLines(run, picture)),
    ),
    ...section(
      'In line',
      line.flatMap((each) => group('', each)),
    ),
    ...section(
      'Passed, waiting to merge',
      passed.flatMap((each) => group('', each)),
    ),
    ...section(
      'Bisections',
      searches.flatMap((each) => group(`${numbers(each.members)}; suspects: `, { ...each, members: each.suspects })),
    ),
    ...section(
      'Next batch',
      nextBatch
        ? [
            `  ${nextBatch.members.length} of ${nextBatch.size}: ${numbers(nextBatch.members)}; starts at ${nextBatch.startsAt} at the latest`,
          ]
        : [],
    ),
    ...section(`Waiting: ${picture.waitingCount}, not ready: ${picture.notReadyCount}`, waitingLines(picture)),
    ...section('Merged last', landedLines(picture)),
    ...section(
      'Failed or cancelled in the last 24 hours',
      picture.left.flatMap(({ prNumber, message }) => [
        `  #${prNumber} ${titleOf(picture, prNumber)}`,
        ...sentence(message),
      ]),
    ),
  ];
}

function headLines({
  repo,
  targetBranch,
  conditions,
  slots,
  expectedRunMs,
  tip,
  readAt,
  mergedCount,
  failedCount,
}: PictureAnswer): string[] {
  const { state, since, by, reason, waitingFor, freeze, mergeLimit } = conditions;
  const searches =
    slots.searches === null ? '' : `, ${slots.searches.inUse} of ${slots.searches.all} bisection slots in use`;
  const usual =
    expectedRunMs === null
      ? 'the usual duration of a test run is not known yet'
      : `a test run takes about ${lengthOf(expectedRunMs)}`;
  return [
    `${repo.host}/${repo.owner}/${repo.name}, branch ${targetBranch}: ${state}${by === null ? '' : ` by ${by}`}${since === null ? '' : ` since ${since}`}${reason === null ? '' : ` (${reason})`}`,
    `  at ${readAt}; ${tip === null ? 'the tip of the target branch is not known yet' : `target at ${tip.slice(0, 8)}`}; ${slots.line.inUse} of ${slots.line.all} slots in use${searches}; ${usual}`,
    `  in the last 24 hours: ${mergedCount} merged, ${failedCount} failed`,
    ...(waitingFor === null ? [] : [`  ${waitingFor}.`]),
    ...(freeze === null ? [] : [`  Merges are frozen ${frozenFor(freeze.until)}.`]),
    ...(mergeLimit === null
      ? []
      : [`  ${mergeLimit.mergedLately} of ${mergeLimit.perHour} merges of this hour are used.`]),
  ];
}

function runLines(run: RunAnswer, { targetBranch, readAt, pullRequests }: PictureAnswer): string[] {
  const elapsed = run.pushedAt === null ? null : Date.parse(readAt) - Date.parse(run.pushedAt);
  const statuses = run.statuses.map(({ name, state, expectedMs }) => {
    const expected =
      state !== 'running' && state !== 'missing'
        ? ''
        : elapsed === null
          ? ''
          : ` (${lengthOf(elapsed)}${expectedMs === null ? '' : ` of about ${lengthOf(expectedMs)}`})`;
    return `${name} ${state}${expected}`;
  });
  const titles = new Map(pullRequests.map(({ prNumber, prTitle, prAuthor }) => [prNumber, `${prTitle} (${prAuthor})`]));
  return [
    `  run ${run.number} ${run.phase}${run.kind === 'line' ? '' : `, ${run.kind}`}: ${treeOf(run, targetBranch)}`,
    ...run.members.slice(0, MOST_AHEAD).map(({ prNumber }) => `      #${prNumber} ${titles.get(prNumber) ?? ''}`),
    ...(statuses.length === 0 ? [] : [`      ${statuses.join(', ')}`]),
    ...(run.eta === null ? [] : [`      expected to end about ${run.eta.p50}, in nine of ten cases by ${run.eta.p90}`]),
    ...sentence(run.waitingFor),
  ];
}

function waitingLines(picture: PictureAnswer): string[] {
  const rows = picture.waiting.map(({ prNumber, place, waitingFor }) => [
    `  ${place ?? '-'}`,
    `#${prNumber}`,
    titleOf(picture, prNumber),
    waitingFor ?? '',
  ]);
  const hidden = picture.waitingCount + picture.notReadyCount - rows.length;
  return [...table(rows), ...(hidden > 0 ? [`  and ${hidden} more`] : [])];
}

function landedLines(picture: PictureAnswer): string[] {
  return table(
    picture.landings.map(({ prNumber, commit, landedAt }) => [
      `  #${prNumber}`,
      commit.slice(0, 8),
      landedAt,
      titleOf(picture, prNumber),
    ]),
  );
}

function titleOf({ pullRequests }: PictureAnswer, number: number): string {
  return pullRequests.find(({ prNumber }) => prNumber === number)?.prTitle ?? '';
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function sentence(text: string | null): string[] {
  return text === null ? [] : [`      ${text}`];
}

function numbers(list: readonly number[]): string {
  return list.map((number) => `#${number}`).join(', ');
}

function frozenFor(until: string | null): string {
  return until === null ? 'without an end: the freeze windows leave no time to merge' : `until ${until}`;
}
