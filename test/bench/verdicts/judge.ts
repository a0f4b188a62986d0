import type { HealthStatus } from '../../../src/modules/test-health/rules/settings';
import type { MadeUpload } from './history';

/** A set of rules that receives uploads in order of arrival. */
export interface Judge {
  readonly name: string;
  /** Assumptions of these rules, made if the product's documents are unclear. */
  readonly assumed: string;
  /** Returns the status changes that the upload causes. */
  hear(upload: MadeUpload): readonly Verdict[];
}

export interface Verdict {
  readonly test: number;
  readonly status: HealthStatus;
}
