import { Injectable } from '@nestjs/common';
import type { HostRepository, StatusReport } from '../../domain/code-host.port';
import { ConfiguredHosts } from '../forge/configured-hosts';

export interface ConfiguredGitLab {
  readonly host: string;
  /** The secret that deliveries contain in plain text; null: such deliveries are refused. */
  readonly webhookSecret: string | null;
  /** The key for signatures of deliveries; null: signatures are ignored. */
  readonly webhookKey: Buffer | null;
  readonly bots: readonly string[];
  /** Throws HostUnavailable. */
  readonly readReports: (repository: HostRepository, commit: string) => Promise<readonly StatusReport[]>;
}

/** The configured hosts of kind `gitlab`. */
@Injectable()
export class GitLabHosts extends ConfiguredHosts<ConfiguredGitLab> {}
