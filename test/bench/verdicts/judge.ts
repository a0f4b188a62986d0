import type { HealthStatus } from '../../../src/modules/test-health/rules/settings';
import type { MadeUpload } from './history';

/** Somebody's rules, told the uploads in order of arrival. */
export interface Judge {
  readonly name: string;
  /** What was assumed where the documents leave it open. */
  readonly assumed: string;
  /** Changes of statuses that follow from the upload. */
  hear(upload: MadeUpload): readonly Verdict[];
}

export interface Verdict {
  readonly test: number;
  readonly status: HealthStatus;
}
