import type { PushRequest } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';

/** Runs the commands that a testing commit defines. Without a check runner it runs none. */
export interface TestingChecks {
  prepare(clone: GitClone, request: PushRequest): Promise<void>;
  cancel(testRunId: string): Promise<void>;
  /**
   * Why no command runs although the configuration asks for it, and the way out, without a full stop. Null: commands
   * run, or need not.
   */
  whyOff(): string | null;
  /** Present if it runs commands: why it cannot run the commands of this file; null when it can. */
  readonly problemOf?: (configurationFile: string) => string | null;
}
