import type { PushRequest } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';

/** Runs the commands that a testing commit defines. Without a check runner nothing is run. */
export interface TestingChecks {
  prepare(clone: GitClone, request: PushRequest): Promise<void>;
  cancel(testRunId: string): Promise<void>;
  /** Why nothing is run although it was asked for, and the way out, without a full stop. Null: it is run, or was not asked for. */
  whyOff(): string | null;
  /** Present where it runs commands: why it cannot run those of this file; null when it can. */
  readonly problemOf?: (configurationFile: string) => string | null;
}
