import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface ComposeService {
  readonly image?: string;
  readonly build?: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly unknown[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
}

describe('docker/Dockerfile', () => {
  /** The instructions of the Dockerfile, each with its continuation lines. */
  const instructions = read('docker/Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  const argumentsOf = (name: string) =>
    instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

  it('begins every stage from the same image, with a tag that names version and distribution', () => {
    const images = new Set(argumentsOf('FROM').map((from) => from.split(' ')[0]));
    expect([...images]).toEqual([expect.stringMatching(/^node:\d+\.\d+(\.\d+)?-\w+-slim$/)]);
  });

  it('runs the service as an ordinary user that owns its data', () => {
    expect(lastStage.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
    expect(lastStage.findIndex((line) => line === 'USER node')).toBeLessThan(
      lastStage.findIndex((line) => line.startsWith('CMD ')),
    );
    expect(lastStage.join('\n')).toContain('install -d -o node -g node /data');
    expect(argumentsOf('VOLUME')).toEqual(['/data']);
  });

  it('starts the service and its health check without a shell, so that signals reach them', () => {
    const [check = ''] = argumentsOf('HEALTHCHECK');
    expect(check).toContain('/healthz');
    expect(JSON.parse(/CMD (\[.*\])$/.exec(check)?.[1] ?? 'null')).toContain('node');
    expect(argumentsOf('CMD').map((command) => (JSON.parse(command) as string[])[0])).toEqual(['node']);
    expect(argumentsOf('ENTRYPOINT')).toEqual([]);
  });

  it('installs system packages without prompts or recommended packages, and deletes the package lists', () => {
    const installs = argumentsOf('RUN').filter((command) => command.includes('apt-get'));
    expect(installs).not.toEqual([]);
    for (const command of installs) {
      expect(command).toMatch(/^apt-get update && apt-get install -y --no-install-recommends /);
      expect(command).toContain('rm -rf /var/lib/apt/lists/*');
    }
  });

  it('installs npm packages by the lock file, and none for development in the last stage', () => {
    const installs = argumentsOf('RUN').filter((command) => command.startsWith('npm '));
    expect(installs.filter((command) => /npm (install|i)\b/.test(command))).toEqual([]);
    expect(installs.some((command) => command.includes('npm ci --omit=dev'))).toBe(true);
  });

  it('downloads nothing by URL, does not use sudo, and contains no secrets', () => {
    expect(argumentsOf('ADD')).toEqual([]);
    const text = instructions.join('\n');
    expect(text).not.toMatch(/\bsudo\b|curl|wget/);
    expect(text).not.toMatch(/^(ENV|ARG) .*(PASSWORD|TOKEN|SECRET)/m);
  });
});

describe('docker/compose.yaml', () => {
  const { name, version, services, volumes } = parse(read('docker/compose.yaml'), { uniqueKeys: true }) as {
    name: string;
    version?: string;
    services: Record<string, ComposeService>;
    volumes: Record<string, null>;
  };
  const all = Object.entries(services);

  it('has a name, and no version field', () => {
    expect([name, version]).toEqual(['sluice', undefined]);
  });

  it('has an exact tag for every image that is not built from this repository', () => {
    const images = all.flatMap(([, { image, build }]) => (build ? [] : [image]));
    expect(images.filter((image = '') => !/^[a-z/]+:v?\d+\.\d+(\.\d+)?(-\w+)?$/.test(image))).toEqual([]);
    expect(services.service?.image).toBeUndefined();
  });

  it.each(all)('starts %s again after a reboot', (_, { restart }) => {
    expect(restart).toBe('unless-stopped');
  });

  it('publishes ports only on this machine, in quotes, and none twice', () => {
    const ports = all.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(String(port)))).toEqual([]);
    expect(ports.every((port) => typeof port === 'string')).toBe(true);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('keeps data in named volumes', () => {
    const mounted = all.flatMap(([, service]) => service.volumes ?? []).map((mount) => mount.split(':')[0] ?? '');
    const named = mounted.filter((source) => !source.startsWith('.'));
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort());
  });

  it('starts the service after the database is ready, and gives the service enough time to stop', () => {
    expect(services.service?.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(services.database?.healthcheck?.test).toEqual(['CMD-SHELL', expect.stringContaining('pg_isready')]);
    expect(parseInt(services.service?.stop_grace_period ?? '0')).toBeGreaterThanOrEqual(30);
  });

  it('contains no password', () => {
    const secrets = all.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([variable]) => /PASSWORD|TOKEN|SECRET/.test(variable)),
    );
    expect(secrets.filter(([, value]) => !/^\$\{\w+:[?-][^}]*\}$/.test(value))).toEqual([]);
  });
});
