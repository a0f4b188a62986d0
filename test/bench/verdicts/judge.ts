import type { HealthStatus } from '../../../src/modules/test-health/rules/settings';
import type { MadeUpload } from './history';

/** A set of rules that receives uploads in order of arrival. */
export interface Judge {
  readonly name: string;
  /** Assumptions where the documents are unclear. */
  readonly assumed: string;
  /** Status changes caused by the upload. */
  hear(upload: MadeUpload): readonly Verdict[];
}

export interface Verdict {
  readonly test: number;
  readonly status: HealthStatus;
}
