import { Injectable } from '@nestjs/common';
import type { HostRepository, StatusReport } from '../../domain/code-host.port';
import { ConfiguredHosts } from '../forge/configured-hosts';

export interface ConfiguredGitLab {
  readonly host: string;
  /** What deliveries carry as they are; null: such are not taken. */
  readonly webhookSecret: string | null;
  /** The key with which deliveries are signed; null: signatures are not looked at. */
  readonly webhookKey: Buffer | null;
  readonly bots: readonly string[];
  /** Throws HostUnavailable. */
  readonly readReports: (repository: HostRepository, commit: string) => Promise<readonly StatusReport[]>;
}

/** The configured hosts of kind `gitlab`. */
@Injectable()
export class GitLabHosts extends ConfiguredHosts<ConfiguredGitLab> {}
