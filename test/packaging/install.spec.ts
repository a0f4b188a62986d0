import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { VARIABLES } from '../support/variables';

const ROOT = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const PAGE = read('docs/install.md');
/** The files that the page makes with `cat > file <<'END'`, with their contents. */
const FILES = new Map(
  [...PAGE.matchAll(/^cat > (\S+) <<'END'\n([\s\S]*?)^END$/gm)].map(([, path, text]) => [path, text ?? '']),
);
const fileOf = (path: string): string => {
  const text = FILES.get(path);
  if (text === undefined) throw new Error(`docs/install.md makes no ${path}`);
  return text;
};

type Tree = Readonly<Record<string, unknown>>;

describe('docs/install.md', () => {
  it('names existing environment variables', () => {
    const named = [...PAGE.matchAll(/\b((?:SLUICE|DATABASE)_[A-Z_]+[A-Z])\b/g)].map(([, name = '']) => name);
    const others = ['DATABASE_PASSWORD', 'SLUICE_URL', 'SLUICE_TOKEN'];
    const variables = new Set(named.map((name) => name.replace(/_FILE$/, '')));
    expect([...variables].filter((name) => !VARIABLES.includes(name) && !others.includes(name))).toEqual([]);
    expect(variables.size).toBeGreaterThan(5);
  });

  it('passes the secrets in the file of code hosts to the service through systemd', () => {
    const credentials = [
      ...fileOf('/etc/systemd/system/sluice.service.d/hosts.conf').matchAll(/^LoadCredential=(\S+):/gm),
    ];
    const [host] = JSON.parse(fileOf('/etc/sluice/hosts.json')) as readonly Tree[];
    const files = Object.entries(host ?? {}).filter(([name]) => name.endsWith('File'));
    expect(files.map(([, path]) => path).sort()).toEqual(
      credentials.map(([, name]) => `/run/credentials/sluice.service/${name}`).sort(),
    );
    expect(credentials).toHaveLength(2);
  });

  it('changes an existing docker compose service, and mounts only defined secrets', () => {
    const { services } = parse(read('docker/compose.yaml')) as { readonly services: Tree };
    const overrides = [fileOf('compose.override.yaml'), /```yaml\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? ''].map(
      (text) => parse(text) as { services: { service: { secrets?: readonly string[] } }; secrets?: Tree },
    );
    for (const override of overrides) {
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(override.services)));
      expect(Object.keys(override.secrets ?? {})).toEqual(override.services.service.secrets ?? []);
    }
    expect(overrides[1]?.services.service.secrets).toHaveLength(3);
  });

  it('sets only existing values of the Helm chart', () => {
    const { properties } = JSON.parse(read('docker/helm/sluice/values.schema.json')) as { readonly properties: Tree };
    const values = parse(fileOf('sluice-values.yaml')) as Tree & { readonly settings: Tree };
    expect(Object.keys(values).filter((name) => !(name in properties))).toEqual([]);
    expect(Object.keys(values.settings).filter((name) => !VARIABLES.includes(name))).toEqual([]);
  });
});
