/** A bug that the product once had, and the edits that restore it: pieces of one file and their replacements. */
export interface Bug {
  readonly name: string;
  /** The path of the file, relative to the project root, with slashes. */
  readonly file: string;
  readonly edits: readonly (readonly [piece: string, instead: string])[];
  /** Whether the search must find this bug from every first day. */
  readonly isSought?: true;
}

/** Bugs that a running service once had. The random days must find all of them. */
export const BUGS: readonly Bug[] = [
  {
    name: 'a pull request merges although its base branch was changed meanwhile (1)',
    file: 'src/domain/pull-request-facts.ts',
    edits: [[' && (base === null || base === targetBranch)', '']],
  },
  {
    name: 'a submission authorises a later push by a stranger (2)',
    file: 'src/engine/accept/observation.ts',
    edits: [['return pusherMayWrite ?', 'return true ?']],
  },
  {
    name: 'a comment authorises a head that its author never saw (2)',
    file: 'src/domain/pull-request-facts.ts',
    edits: [['thereBy.some((at) => at !== null && at <= askedAt)', 'thereBy.length > 0']],
  },
  {
    name: 'a restart fails a pull request under test (6)',
    file: 'src/engine/policy/time-out.ts',
    edits: [
      ['from < at && to > since', 'false && from < at && to > since'],
      [' && !statusesUnread', ''],
    ],
  },
  {
    name: 'a result from before a pull request was cleared fails it (7)',
    file: 'src/engine/policy/new-run.ts',
    edits: [['entry.acquittedAt === null ?', 'true ?']],
  },
  {
    name: 'content that the host wrote wrongly counts as a push by other people',
    isSought: true,
    file: 'src/engine/accept/landing-outcome.ts',
    edits: [
      [
        '  if (wrongTrees.length > 0) return combine(moves, pauseForWrongTrees(queue, { landing, landed, wrongTrees }));\n',
        '',
      ],
    ],
  },
  {
    name: 'a check of the head that nobody reports blocks the line for ever',
    isSought: true,
    file: 'src/engine/policy/readiness.ts',
    edits: [['at !== null && at <= now && maySomethingTimeOut(queue)', 'false']],
  },
  {
    name: 'a test that CI gave up fails its pull request at once',
    file: 'src/engine/policy/lost-run.ts',
    edits: [['STARTED_AGAIN_AT_MOST = 2', 'STARTED_AGAIN_AT_MOST = 0']],
  },
  {
    name: 'a run that failed only by known flaky tests is tested again and again',
    file: 'src/engine/policy/suspect-run.ts',
    edits: [['every(({ suspectRun }) => suspectRun === null)', 'every(() => true)']],
  },
  {
    name: 'a failed run is blamed on flaky tests, although a healthy test failed',
    file: 'src/engine/policy/suspect-run.ts',
    edits: [
      ['  if (uploads.some(({ others }) => others > 0)) return null;\n', ''],
      [' && uploads.every(({ others }) => others === 0)', ''],
    ],
  },
  {
    name: 'a broken configuration file on the target fails the next pull request',
    file: 'src/engine/accept/run-refused.ts',
    edits: [
      [
        'changesOnly(found, ...outOfLine(entries))',
        "...entries.map((entry) => failToStart(entry, 'start_test_run_config_parsing_failure', problem, now))",
      ],
    ],
  },
];

/** @throws when a piece does not occur exactly once, because the code has changed and the bug must be written again. */
export function withBug(text: string, { file, edits }: Bug): string {
  return edits.reduce((so, [piece, instead]) => {
    if (so.split(piece).length !== 2) throw new Error(`${file} does not have this piece exactly once: ${piece}`);
    return so.replace(piece, () => instead);
  }, text);
}
