/** The end of a job's URL: `<run>/<job>`. Depending on the server, run and job are ids or positions. */
export type JobAddress = string;

const ADDRESS = /\/actions\/runs\/(\d+)\/jobs\/(\d+)/;

/** The job address in a URL; null if it is not the URL of an Actions job. */
export function addressIn(url: string | null): JobAddress | null {
  const [, run, job] = ADDRESS.exec(url ?? '') ?? [];
  return run === undefined || job === undefined ? null : `${run}/${job}`;
}
