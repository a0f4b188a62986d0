const SHARED = ['PATH', 'SSH_AUTH_SOCK', 'TMPDIR'];

const NETWORK = [
  ...['https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'],
];

/** Variables that the service hands on to programs it starts: the paths of programs and the ssh agent, but no secrets. */
export function childEnvironment(): Record<string, string> {
  return named(SHARED);
}

/** Proxy variables, handed on to git alone, because the address of a proxy may hold a password. */
export function networkEnvironment(): Record<string, string> {
  return named(NETWORK);
}

function named(names: readonly string[]): Record<string, string> {
  const shared = names.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(shared.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
