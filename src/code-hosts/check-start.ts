import type { Type } from '@nestjs/common';
import { checkHosts } from './check-hosts';
import { CodeHostsModule } from './code-hosts.module';
import { requireGit } from './git/require-git';
import { kindsIn } from './host-kinds';
import { requireCertificates } from '../platform/config/certificate-files';
import type { Config } from '../platform/config/config';

/**
 * Checks settings of hosts, key files, certificates and git, before anything is written to a database. Throws StartRefused. Hosts of
 * extensions are checked as far as their adapters are known without being created.
 */
export async function checkStart(config: Config, extensions: readonly Type[] = []): Promise<void> {
  requireCertificates(config);
  const mayHaveOthers = config.extensions.length > 0 || extensions.length > 0;
  const kinds = checkHosts(config, kindsIn([CodeHostsModule, ...extensions]), { mayHaveOthers });
  if (kinds.some(({ usesGit }) => usesGit)) await requireGit();
}
