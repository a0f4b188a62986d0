import { StartRefused } from '../errors/start-refused';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ['json', 'text'] as const;

export const REPOSITORY_CLAIMS = ['single', 'on', 'off'] as const;
type RepositoryClaims = (typeof REPOSITORY_CLAIMS)[number];

export const CHECK_RUNNER_MODES = ['off', 'on', 'unconfined'] as const;

/** One entry of `SLUICE_HOSTS`. */
export interface HostEntry {
  /** In lower case; compared with `repo.host`. */
  readonly host: string;
  /** Selects the adapter decorated with this kind. */
  readonly kind: string;
  readonly url?: string;
  /** Absent: the default of this kind of code host. */
  readonly pollSeconds?: number;
  /** All other keys of the entry, unchanged; the adapter of that kind checks them. May hold secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The entry for an adapter, with the polling interval filled in. */
export interface HostConfig extends HostEntry {
  readonly pollSeconds: number;
}

/**
 * The destination of pull request traces, by the variables of OpenTelemetry. The exporter itself reads all other
 * OpenTelemetry variables.
 */
export interface TraceSettings {
  /** URL of the collector, with its path. */
  readonly url: string;
  /** "": the brand, or the name in OTEL_RESOURCE_ATTRIBUTES. */
  readonly serviceName: string;
}

/**
 * All settings from the environment and the configuration file. `readConfig` reads them once at the start; they never
 * change.
 */
export class Config {
  /** Absent: the embedded PostgreSQL under `dataDirectory`. */
  readonly databaseUrl?: string;
  /** 0: any free port. */
  readonly port: number;
  /** `[a-z][a-z0-9-]{0,30}`; part of branch names, commands and file names that people see. */
  readonly brand: string;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  /** Absolute. */
  readonly dataDirectory: string;
  /** A private Ed25519 key in PEM, which signs statements about merges. Absent: a key in `dataDirectory`. */
  readonly attestationKey?: string;
  /** Every host once. Empty without `SLUICE_HOSTS`: then the only host is `local`, under `dataDirectory`. */
  readonly hosts: readonly HostEntry[];
  /** Absolute; absent unless `SLUICE_HOSTS` is the path of a file. */
  readonly hostsFile?: string;
  /** Absolute; absent unless the configuration file itself holds a secret. */
  readonly secretFile?: string;
  readonly repositoryClaims: RepositoryClaims;
  /** `unconfined`: checks run even if they cannot be isolated from the service. */
  readonly checkRunner: (typeof CHECK_RUNNER_MODES)[number];
  /** The sum of all processes of a check. */
  readonly checkMemoryMib: number;
  readonly checkProcesses: number;
  /** The limit for each file that a check writes. */
  readonly checkFileMib: number;
  /** The limit for the log of a check. */
  readonly checkOutputMib: number;
  /** The address to listen on; absent: see `listenAddressOf`. */
  readonly listen?: string;
  /** How long a stopping service still answers requests, so that load balancers notice by /readyz. */
  readonly stopDelaySeconds: number;
  /**
   * How long a connection may be idle. Must be longer than the idle timeout of the load balancer in front of the
   * service.
   */
  readonly keepAliveSeconds: number;
  /** The number of proxies in front of the service that report the client's address truthfully. */
  readonly trustProxy: number;
  /** Requests per token and minute; 0: no limit. */
  readonly rateLimitPerMinute: number;
  readonly logLevel: LogLevel;
  /** Absent: `text` on a terminal, otherwise `json`. */
  readonly logFormat?: (typeof LOG_FORMATS)[number];
  /** Package names or absolute paths of modules. */
  readonly extensions: readonly string[];
  readonly maxRunsInFlight: number;
  readonly maxBatch: number;
  readonly uploadMaxMib: number;
  readonly retentionDays: number;
  /** How long a concluded pull request is kept; 0: forever. Never fewer than `retentionDays`. */
  readonly historyDays: number;
  readonly testRetentionDays: number;
  readonly treeReuseHours: number;
  /** Private networks to which webhooks may be sent, such as `10.1.0.0/16`. */
  readonly webhookAllowedNetworks: readonly string[];
  /** Absent: traces are off. */
  readonly traces?: TraceSettings;

  constructor(values: Config) {
    Object.assign(this, values);
    Object.freeze(this);
  }
}

/** The service cannot start with the value of a setting. The message is a sentence that names the setting. */
export class ConfigError extends StartRefused {
  override readonly name = 'ConfigError';
}
