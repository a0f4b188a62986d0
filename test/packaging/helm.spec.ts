import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DRAIN_LIMIT_MS } from '../../src/platform/lifecycle/lifecycle';
import { VARIABLES } from '../support/variables';

const CHART = join(__dirname, '../../docker/helm/sluice');
const TEMPLATES = readdirSync(join(CHART, 'templates'));
const read = (path: string) => readFileSync(join(CHART, path), 'utf8');

type Values = Readonly<Record<string, unknown>>;
const DEFAULTS = parse(read('values.yaml')) as Values;
const REQUIRED: Values = {
  image: 'registry.example/sluice:1.0.0-rc.1',
  publicUrl: 'https://sluice.example',
  database: { secretName: 'sluice-database', secretKey: 'address' },
};

/** Evaluates the Helm constructs that the templates use, and throws if a template uses another construct. */
function render(template: string, given: Values): string {
  const scope = { Values: { ...DEFAULTS, ...given }, Release: { Name: 'queue', Service: 'Helm' } };
  const valueAt = (path: string): unknown =>
    path
      .split('.')
      .slice(1)
      .reduce<unknown>((value, key) => {
        if (typeof value !== 'object' || value === null || !(key in value)) throw new Error(`${path} is no value`);
        return (value as Values)[key];
      }, scope);
  const isTrue = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  const chosen = template.replace(
    /\s*\{\{- if (\.[\w.]+) \}\}((?:(?!\{\{- (?:if|end))[^])*)\s*\{\{- end \}\}/g,
    (_, path: string, body: string) => (isTrue(valueAt(path)) ? body : ''),
  );
  return chosen.replace(/\{\{(.*?)\}\}/g, (construct, inner: string) => {
    const [, json, path] = /^ (toJson \(toJson |toJson |)(\.[\w.]+)\)? $/.exec(inner) ?? [];
    if (json === undefined || path === undefined) throw new Error(`${construct} is not known here`);
    const value = valueAt(path);
    if (json === 'toJson ') return JSON.stringify(value);
    return json === '' ? String(value) : JSON.stringify(JSON.stringify(value));
  });
}

interface Container {
  readonly env: readonly { name: string; value: string }[];
  readonly volumeMounts: readonly { name: string; mountPath: string; readOnly?: boolean }[];
  readonly ports: readonly { name: string }[];
  readonly [key: string]: unknown;
}
interface Deployment {
  readonly spec: {
    readonly selector: { readonly matchLabels: Values };
    readonly template: {
      readonly metadata: { readonly labels: Values };
      readonly spec: Values & {
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

const rendered = (name: string, values: Values = {}): unknown =>
  parse(render(read(`templates/${name}`), { ...REQUIRED, ...values }));
const deployment = (values: Values = {}) => rendered('deployment.yaml', values) as Deployment;
const podOf = (values: Values = {}) => deployment(values).spec.template.spec;

describe('docker/helm/sluice', () => {
  const everything: Values = {
    hosts: [{ host: 'github.com', kind: 'github', privateKeyFile: '/run/secrets/sluice/key: "#{{' }],
    hostSecretName: 'sluice-hosts',
    settings: { SLUICE_TRUST_PROXY: '1' },
    networkPolicy: { enabled: true, from: [{ podSelector: {} }] },
    serviceMonitor: { enabled: true, interval: '30s', tokenSecretName: 'token', tokenSecretKey: 'token' },
  };

  it.each(TEMPLATES)('%s is one object with a name, labels and a kind, whatever the values', (name) => {
    const object = { apiVersion: expect.any(String) as string, kind: expect.any(String) as string };
    const labels = { 'app.kubernetes.io/name': 'sluice', 'app.kubernetes.io/instance': 'queue' };
    expect(rendered(name, everything)).toMatchObject({ ...object, metadata: { labels } });
    expect((rendered(name, everything) as { metadata: { name: string } }).metadata.name).toMatch(/^queue-sluice/);
  });

  it('creates no network policy and no service monitor by default', () => {
    expect([rendered('networkpolicy.yaml'), rendered('servicemonitor.yaml')]).toEqual([null, null]);
  });

  it('runs the service without privileges, on a read-only root file system', () => {
    const pod = podOf();
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          securityContext: {
            ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
          },
        },
      ],
    });
    expect(
      pod.containers[0].volumeMounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath),
    ).toEqual(['/data', '/tmp']);
  });

  it.each([{}, everything])('mounts exactly the volumes that it defines: %#', (values) => {
    const { containers, volumes } = podOf(values);
    expect(containers[0].volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort());
  });

  it('probes existing paths at an existing port, and gives the start two minutes', () => {
    const [container] = podOf().containers;
    const at = (path: string) => ({ httpGet: { path, port: container.ports[0]!.name } });
    expect(container).toMatchObject({
      startupProbe: { ...at('/healthz'), periodSeconds: 2, failureThreshold: 60 },
      livenessProbe: at('/healthz'),
      readinessProbe: at('/readyz'),
    });
  });

  it('gives the service enough time to stop, and sends it no requests meanwhile', () => {
    const { stopDelaySeconds, terminationGracePeriodSeconds } = DEFAULTS as Record<string, number>;
    expect(terminationGracePeriodSeconds!).toBeGreaterThanOrEqual(stopDelaySeconds! + DRAIN_LIMIT_MS / 1_000 + 5);
    const { periodSeconds, failureThreshold } = podOf().containers[0].readinessProbe as Record<string, number>;
    expect(stopDelaySeconds!).toBeGreaterThan(periodSeconds! * failureThreshold!);
  });

  it('sets existing environment variables, and the secret variable by a mounted file', () => {
    const [{ env, volumeMounts }] = podOf(everything).containers;
    const unknown = env.map(({ name }) => name.replace(/_FILE$/, '')).filter((name) => !VARIABLES.includes(name));
    expect(unknown).toEqual([]);
    const file = env.find(({ name }) => name === 'DATABASE_URL_FILE')!.value;
    expect(volumeMounts.map(({ mountPath }) => `${mountPath}/url`)).toContain(file);
    expect(podOf(everything).volumes.find(({ name }) => name === 'database')).toMatchObject({
      secret: { secretName: 'sluice-database', items: [{ key: 'address', path: 'url' }] },
    });
    expect(podOf().containers[0].env.map(({ name }) => name)).not.toContain('SLUICE_HOSTS');
  });

  it('writes the configured code hosts unchanged, and starts new pods when they change', () => {
    const { data } = rendered('configmap.yaml', everything) as { data: { 'hosts.json': string } };
    expect(JSON.parse(data['hosts.json'])).toEqual(everything.hosts);
    const annotations = (values: Values) => deployment(values).spec.template.metadata as unknown;
    expect(annotations(everything)).not.toEqual(annotations({}));
  });

  it('selects the pods of its own release in service, disruption budget and network policy', () => {
    const { matchLabels } = deployment().spec.selector;
    expect(deployment().spec.template.metadata.labels).toEqual(matchLabels);
    expect(rendered('service.yaml')).toMatchObject({
      spec: { selector: matchLabels, ports: [{ targetPort: 'http' }] },
    });
    expect(rendered('poddisruptionbudget.yaml')).toMatchObject({
      spec: { selector: { matchLabels }, maxUnavailable: 1 },
    });
    const to = { podSelector: { matchLabels } };
    expect(rendered('networkpolicy.yaml', everything)).toMatchObject({ spec: to });
    expect(rendered('servicemonitor.yaml', everything)).toMatchObject({ spec: { selector: { matchLabels } } });
  });

  it('has a schema with exactly its values', () => {
    const schema = JSON.parse(read('values.schema.json')) as { properties: Values; additionalProperties: boolean };
    expect(
      Object.keys(schema.properties)
        .filter((key) => key !== 'global')
        .sort(),
    ).toEqual(Object.keys(DEFAULTS).sort());
    expect(schema.additionalProperties).toBe(false);
    expect(parse(read('Chart.yaml'))).toMatchObject({ apiVersion: 'v2', name: 'sluice', type: 'application' });
  });
});
