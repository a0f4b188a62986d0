import type { PushRequest } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';

/** Runs the commands that a testing commit defines. Without a check runner, no commands are run. */
export interface TestingChecks {
  prepare(clone: GitClone, request: PushRequest): Promise<void>;
  cancel(testRunId: string): Promise<void>;
  /**
   * Why no commands are run although the configuration asks for them, and the way out, without a full stop. Null if
   * commands are run, or need not be.
   */
  whyOff(): string | null;
  /** Why the commands of this configuration file cannot be run; null if they can. Absent: no commands are run. */
  readonly problemOf?: (configurationFile: string) => string | null;
}
