import { AsyncLocalStorage } from 'node:async_hooks';

/** Describes what the process works on, such as a request with its organization. Called only when a person asks. */
type Describe = () => string;

const works = new AsyncLocalStorage<Describe>();

/** Names everything that `work` calls and awaits. */
export function runAs<T>(describe: Describe, work: () => T): T {
  return works.run(describe, work);
}

/** The work of the code that is running now; null: none that has a name. */
export function currentWork(): string | null {
  return works.getStore()?.() ?? null;
}
