import { type CheckMode, type ToldCheckMode, toldCheckMode } from '../../code-hosts/git/choose-confinement';
import { hostEntriesOf } from '../../code-hosts/host-kinds';
import { type Finding, ok, problem, unknown } from '../../domain/host-examination';
import type { Config, ConfigError } from '../../platform/config/config';
import { StartRefused } from '../../platform/errors/start-refused';
import type { ServiceProcess } from '../../platform/health/service-processes';

const SERVICE = 'The service';
const DATABASE = 'The database';

export function configurationProblem(error: ConfigError): Finding {
  return problem(
    SERVICE,
    error.message.replace(/\.$/, '').replaceAll('\n', ' '),
    'Change the configuration: docs/configuration.md',
  );
}

/** Settings whose effects users of the service notice. */
export interface ServiceTraits {
  readonly brand: string;
  readonly publicUrl: string;
  readonly hasGitHosts: boolean;
  readonly hasForges: boolean;
  /** Undefined: the process has not determined its check mode yet. */
  readonly checks: ToldCheckMode | undefined;
}

/** The traits that a service would have with this shell's environment. */
export function traitsOf(config: Config, checks: CheckMode): ServiceTraits {
  const { brand, publicUrl } = config;
  const kinds = hostEntriesOf(config).map(({ kind }) => kind);
  return { brand, publicUrl, ...hostTraits(kinds), checks: toldCheckMode(checks) };
}

/** The traits that a running process reports. */
export function traitsOfProcess({ settings, facts }: ServiceProcess): ServiceTraits {
  const kinds = [...(settings.SLUICE_HOSTS ?? '').matchAll(/ \(([^)]*)\)(?:, |$)/g)].map(([, kind]) => kind!);
  return {
    brand: settings.SLUICE_BRAND ?? '',
    publicUrl: settings.SLUICE_PUBLIC_URL ?? '',
    ...hostTraits(kinds.length === 0 ? ['git'] : kinds),
    checks: facts.checks as ToldCheckMode | undefined,
  };
}

function hostTraits(kinds: readonly string[]): Pick<ServiceTraits, 'hasGitHosts' | 'hasForges'> {
  return { hasGitHosts: kinds.includes('git'), hasForges: kinds.some((kind) => kind !== 'git') };
}

export function serviceFindings({
  brand,
  publicUrl,
  hasGitHosts,
  hasForges,
  checks,
}: ServiceTraits): readonly Finding[] {
  const words = `the brand is "${brand}": testing branches are ${brand}-merge/…, commands in comments /${brand} …`;
  const isHere = /^(localhost|127\.|\[::1\])/.test(new URL(publicUrl).hostname);
  const address =
    isHere && hasForges
      ? ok(SERVICE, `links begin with ${publicUrl}: they work only on this machine`, 'Set SLUICE_PUBLIC_URL.')
      : ok(SERVICE, `links begin with ${publicUrl}`);
  const ofChecks = hasGitHosts && checks !== undefined ? [checksFinding(checks)] : [];
  return [ok(SERVICE, words), address, ...ofChecks];
}

function checksFinding(mode: ToldCheckMode): Finding {
  if (mode.type === 'off')
    return ok(SERVICE, 'the check runner is off: for plain git hosts, CI must report the statuses');
  if (mode.type === 'refused') return problem(SERVICE, `the check runner is off: ${mode.why}`, `${mode.wayOut}.`);
  const runs = 'the check runner runs the commands under ci: of git hosts';
  if (mode.confinement.type === 'none') {
    return ok(
      SERVICE,
      `${runs}, not confined`,
      'Everybody who can open a pull request gets the rights of the service.',
    );
  }
  const own = mode.confinement.type === 'own users' ? 'a user' : 'namespaces';
  return ok(
    SERVICE,
    `${runs}, each with ${own} of its own`,
    'The check runner runs code of pull requests on this machine, and is not a sandbox.',
  );
}

export function pendingMigrations(names: readonly string[]): Finding {
  if (names.length === 0) return ok(DATABASE, 'answers, with all migrations');
  const count = names.length === 1 ? 'a migration is' : `${names.length} migrations are`;
  return problem(
    DATABASE,
    `${count} missing, ${names[0]} first`,
    'Start this version of the service, which applies the migrations.',
  );
}

export function noDatabaseYet(dataDirectory: string): Finding {
  const advice = 'Start the service once; or name the folder by SLUICE_DATA_DIR, or a database by DATABASE_URL.';
  return problem(DATABASE, `there is no database yet in ${dataDirectory}`, advice);
}

/** The finding when `sluice doctor` runs on the machine of a client, without access to the database. */
export function outsideOnly(): Finding {
  const advice = 'Run the doctor on the machine of the service, too: there it examines database and code hosts.';
  return unknown(
    DATABASE,
    'this machine has no database of a service, so the doctor examined only the view from outside',
    advice,
  );
}

/**
 * The finding never repeats the URL of the database, because the URL may contain a password. The message may name hosts
 * and users.
 */
export function unansweredDatabase(error: unknown): Finding {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const why = message || code || 'no reason was given';
  if (error instanceof StartRefused) {
    const [what = '', ...rest] = why.split('\n');
    return problem(DATABASE, what.replace(/\.$/, ''), rest.join(' ') || 'Repair it, or restore a backup.');
  }
  return problem(DATABASE, `does not answer: ${why}`, 'Check DATABASE_URL, and whether PostgreSQL runs there.');
}

export function hostsUnexamined(): Finding {
  return unknown('Code hosts', 'were not examined', 'The database must answer first.');
}
