import { type Finding, ok, problem } from '../../domain/host-examination';
import { CONFIG_FILE } from '../../platform/config/config-file';
import type { SettingSources } from '../../platform/config/setting-sources';

const CONFIGURATION = 'The configuration';

/** The configuration file, and the settings from each source. */
export function configurationFindings({ file, variables }: SettingSources): readonly Finding[] {
  const environment = `from the environment: ${variables.join(', ') || 'nothing'}`;
  if (file === undefined) return [ok(CONFIGURATION, `${environment}. There is no ${CONFIG_FILE}`)];
  const read = ok(CONFIGURATION, `from ${file.path}: ${file.keys.join(', ') || 'nothing'}; ${environment}`);
  if (file.exposed.length === 0) return [read];
  const secrets = file.exposed.join(', ');
  const advice = `Run chmod o-r ${file.path}, or keep the secret in a file of its own.`;
  return [
    read,
    problem(CONFIGURATION, `every user of this machine can read the secret in ${file.path}: ${secrets}`, advice),
  ];
}
