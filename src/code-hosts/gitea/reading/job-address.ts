/** The end of the address of a job: `<run>/<job>`. Servers count both by id, or by place. */
export type JobAddress = string;

const ADDRESS = /\/actions\/runs\/(\d+)\/jobs\/(\d+)/;

/** Null: this is not the address of a job of Actions. */
export function addressIn(url: string | null): JobAddress | null {
  const [, run, job] = ADDRESS.exec(url ?? '') ?? [];
  return run === undefined || job === undefined ? null : `${run}/${job}`;
}
