import { CodeHostsModule } from '../code-hosts/code-hosts.module';
import { hostEntriesOf, hostsIgnoringCase, kindsIn } from '../code-hosts/host-kinds';
import { readConfig } from '../platform/config/read-config';
import { loadExtensions } from '../platform/lifecycle/load-extensions';

/** The code hosts that ignore letter case, as the service will know them, including adapters of extensions. */
export function hostsIgnoring(): readonly string[] {
  const config = readConfig();
  return hostsIgnoringCase(hostEntriesOf(config), kindsIn([CodeHostsModule, ...loadExtensions(config.extensions)]));
}
