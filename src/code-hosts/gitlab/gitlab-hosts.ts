import { Injectable } from '@nestjs/common';
import type { HostRepository, StatusReport } from '../../domain/code-host.port';
import { ConfiguredHosts } from '../forge/configured-hosts';

export interface ConfiguredGitLab {
  readonly host: string;
  /** The secret that deliveries without a signature contain; null if deliveries without a signature are refused. */
  readonly webhookSecret: string | null;
  /** The key for signatures of deliveries; null if signatures are ignored. */
  readonly webhookKey: Buffer | null;
  readonly bots: readonly string[];
  /** Throws HostUnavailable. */
  readonly readReports: (repository: HostRepository, commit: string) => Promise<readonly StatusReport[]>;
}

/** The configured hosts of kind `gitlab`. */
@Injectable()
export class GitLabHosts extends ConfiguredHosts<ConfiguredGitLab> {}
