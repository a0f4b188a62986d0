const SHARED = ['PATH', 'SSH_AUTH_SOCK', 'TMPDIR'];

const NETWORK = [
  ...['https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'],
];

/** Variables that the service passes to programs: paths of programs and the ssh agent, but no secrets. */
export function childEnvironment(): Record<string, string> {
  return named(SHARED);
}

/**
 * Variables that configure a proxy. Only git gets these variables, because the URL of a proxy may contain a password.
 */
export function networkEnvironment(): Record<string, string> {
  return named(NETWORK);
}

function named(names: readonly string[]): Record<string, string> {
  const shared = names.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(shared.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
