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
  /** Selects the adapter that is decorated with this kind. */
  readonly kind: string;
  readonly url?: string;
  /** Absent: the default of this kind of host. */
  readonly pollSeconds?: number;
  /** All other keys of the entry, as written; the adapter of that kind checks them. May hold secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The entry that an adapter gets, with the polling interval filled in. */
export interface HostConfig extends HostEntry {
  readonly pollSeconds: number;
}

/** Where traces of pull requests are sent, as the variables of OpenTelemetry say. The exporter itself reads the others of them. */
export interface TraceSettings {
  /** Of the collector, with its path. */
  readonly url: string;
  /** "": the brand, or what OTEL_RESOURCE_ATTRIBUTES says. */
  readonly serviceName: string;
}

/** Everything the environment and the configuration file decide; read once at the start by `readConfig` and never changed. */
export class Config {
  /** Absent: the embedded PostgreSQL under `dataDirectory`. */
  readonly databaseUrl?: string;
  /** 0: any free port. */
  readonly port: number;
  /** `[a-z][a-z0-9-]{0,30}`; part of branch names, commands and file names that users see. */
  readonly brand: string;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  /** Absolute. */
  readonly dataDirectory: string;
  /** A private key of Ed25519 in PEM, which signs statements of landings. Absent: a key in `dataDirectory`. */
  readonly attestationKey?: string;
  /** No host twice. Empty without `SLUICE_HOSTS`: then there is one host, `local`, under `dataDirectory`. */
  readonly hosts: readonly HostEntry[];
  /** Absolute; absent unless `SLUICE_HOSTS` is the path of a file. */
  readonly hostsFile?: string;
  /** Absolute; absent unless the configuration file holds a secret itself. */
  readonly secretFile?: string;
  readonly repositoryClaims: RepositoryClaims;
  /** `unconfined`: also where checks cannot be kept from what the service can. */
  readonly checkRunner: (typeof CHECK_RUNNER_MODES)[number];
  /** Of all processes of a check. */
  readonly checkMemoryMib: number;
  readonly checkProcesses: number;
  /** Of each file that a check writes. */
  readonly checkFileMib: number;
  /** Of the log that a check writes. */
  readonly checkOutputMib: number;
  /** The address to listen on; absent: see `listenAddressOf`. */
  readonly listen?: string;
  /** How long a stop goes on answering requests, so that load balancers learn of it from /readyz. */
  readonly stopDelaySeconds: number;
  /** How long a connection may be idle; longer than a load balancer in front keeps it. */
  readonly keepAliveSeconds: number;
  /** How many proxies in front of the service say truly where a request came from. */
  readonly trustProxy: number;
  /** Requests per token and minute; 0: no limit. */
  readonly rateLimitPerMinute: number;
  readonly logLevel: LogLevel;
  /** Absent: `text` where standard output is a terminal, `json` elsewhere. */
  readonly logFormat?: (typeof LOG_FORMATS)[number];
  /** Package names or absolute paths of modules. */
  readonly extensions: readonly string[];
  readonly maxRunsInFlight: number;
  readonly maxBatch: number;
  readonly uploadMaxMib: number;
  readonly retentionDays: number;
  /** How long a pull request is kept after it concluded; 0: for good. Never fewer than `retentionDays`. */
  readonly historyDays: number;
  readonly testRetentionDays: number;
  readonly treeReuseHours: number;
  /** Networks that are not public and may be sent webhooks, such as `10.1.0.0/16`. */
  readonly webhookAllowedNetworks: readonly string[];
  /** Absent: nothing is sent to a collector. */
  readonly traces?: TraceSettings;

  constructor(values: Config) {
    Object.assign(this, values);
    Object.freeze(this);
  }
}

/** A setting has a value that the service cannot start with. The message is a sentence that names it. */
export class ConfigError extends StartRefused {
  override readonly name = 'ConfigError';
}
