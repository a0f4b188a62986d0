/** Work in short steps, so that other work of the process gets its turn between two steps. */
export type Steps<Result> = Generator<void, Result, void>;

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
