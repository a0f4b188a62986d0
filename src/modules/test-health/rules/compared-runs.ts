/** A removed test is expected until this many runs did not contain the test. */
const LATEST_RUNS = 5;

/** An earlier upload of the same job. */
export interface JobUpload {
  /** The id of the job's run, the same for all uploads of that run. */
  readonly run: string;
  /** The exit code of the tests; null: unknown. */
  readonly exit: number | null;
  /** True: the upload belongs to the pull request whose upload is compared. */
  readonly isOfPullRequest: boolean;
}

/**
 * The uploads that define the expected tests of a job: the uploads of its latest runs, and of the latest run that
 * exited with 0. The latter keeps missing tests expected, even after several incomplete runs. Among the runs of the
 * pull request itself, only the latest counts.
 * @param uploads latest first
 */
export function comparedUploads<T extends JobUpload>(uploads: readonly T[]): readonly T[] {
  const others = runsOf(uploads.filter(({ isOfPullRequest }) => !isOfPullRequest));
  const own = runsOf(uploads.filter(({ isOfPullRequest }) => isOfPullRequest));
  const compared = new Set([...withLatestPassed(others, LATEST_RUNS), ...withLatestPassed(own, 1)]);
  return uploads.filter((upload) => compared.has(upload));
}

/** The uploads of runs that exited with 0. */
export function passedUploads<T extends JobUpload>(uploads: readonly T[]): readonly T[] {
  return runsOf(uploads).filter(hasPassed).flat();
}

function hasPassed(run: readonly JobUpload[]): boolean {
  return run.every(({ exit }) => exit === 0);
}

function runsOf<T extends JobUpload>(uploads: readonly T[]): readonly (readonly T[])[] {
  const runs = new Map<string, T[]>();
  for (const upload of uploads) {
    const run = runs.get(upload.run);
    if (run) run.push(upload);
    else runs.set(upload.run, [upload]);
  }
  return [...runs.values()];
}

function withLatestPassed<T extends JobUpload>(runs: readonly (readonly T[])[], latest: number): readonly T[] {
  const passed = runs.find(hasPassed) ?? [];
  return [...runs.slice(0, latest).flat(), ...passed];
}
