const SHARED = ['PATH', 'SSH_AUTH_SOCK', 'TMPDIR'];

/** What programs that the service starts see of its own environment: where programs are and the ssh agent, no secrets. */
export function childEnvironment(): Record<string, string> {
  const shared = SHARED.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(shared.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
