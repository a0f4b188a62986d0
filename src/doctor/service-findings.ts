import type { CheckMode } from '../code-hosts/git/check-runner/choose-confinement';
import { hostEntriesOf } from '../code-hosts/host-kinds';
import { type Finding, ok, problem } from '../domain/host-examination';
import { type Config, ConfigError } from '../platform/config/config';

const SERVICE = 'The service';
const DATABASE = 'The database';

export function configurationProblem(error: ConfigError): Finding {
  return problem(SERVICE, error.message.replace(/\.$/, ''), 'Change the environment of the service: docs/operating.md');
}

/** What the environment variables mean for users of the service. */
export function serviceFindings(config: Config, checks: CheckMode): readonly Finding[] {
  const { brand, publicUrl } = config;
  const hosts = hostEntriesOf(config);
  const words = `the brand is "${brand}": testing branches are ${brand}-merge/…, commands in comments /${brand} …`;
  const isHere = /^(localhost|127\.|\[::1\])/.test(new URL(publicUrl).hostname);
  const needsAddress = isHere && hosts.some(({ kind }) => kind !== 'git');
  const address = needsAddress
    ? ok(SERVICE, `links begin with ${publicUrl}: they work only on this machine`, 'Set SLUICE_PUBLIC_URL.')
    : ok(SERVICE, `links begin with ${publicUrl}`);
  const ofChecks = hosts.some(({ kind }) => kind === 'git') ? [checksFinding(checks)] : [];
  return [ok(SERVICE, words), address, ...ofChecks];
}

function checksFinding(mode: CheckMode): Finding {
  if (mode.type === 'off') return ok(SERVICE, 'the check runner is off: CI reports the statuses of git hosts itself');
  if (mode.type === 'refused') return problem(SERVICE, `the check runner is off: ${mode.why}`, `${mode.wayOut}.`);
  const runs = 'the check runner runs the commands under ci: of git hosts';
  if (mode.confinement.type === 'none') {
    return ok(SERVICE, `${runs}, not confined`, 'Whoever opens a pull request can do what the service can.');
  }
  const own = mode.confinement.type === 'own users' ? 'a user' : 'namespaces';
  return ok(
    SERVICE,
    `${runs}, each with ${own} of its own`,
    'It runs code from pull requests here, and is no sandbox.',
  );
}

export function pendingMigrations(names: readonly string[]): Finding {
  if (names.length === 0) return ok(DATABASE, 'answers, and is up to date');
  const count = names.length === 1 ? 'a migration is' : `${names.length} migrations are`;
  return problem(
    DATABASE,
    `${count} missing, ${names[0]} first`,
    'Start this version of the service: it applies them.',
  );
}

export function noDatabaseYet(dataDirectory: string): Finding {
  const advice = 'Start the service once; or name the folder by SLUICE_DATA_DIR, or a database by DATABASE_URL.';
  return problem(DATABASE, `there is none yet in ${dataDirectory}`, advice);
}

/** Never repeats the address, because it may hold a password. The message may name hosts and users. */
export function unansweredDatabase(error: unknown): Finding {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const why = message || code || 'it did not say why';
  if (why.startsWith('The migration'))
    return problem(DATABASE, why.replace(/\.$/, ''), 'Repair it, or restore a backup.');
  return problem(DATABASE, `does not answer: ${why}`, 'Check DATABASE_URL, and whether PostgreSQL runs there.');
}

export function hostsUnexamined(): Finding {
  return {
    verdict: 'unknown',
    about: 'Code hosts',
    what: 'were not examined',
    advice: 'The database must answer first.',
  };
}
