import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Client } from '../e2e/client';
import { Rows } from '../e2e/rows';
import { NOW, Service } from '../e2e/service';
import { metricsIn, queries, RULES, rules, titleOfAlert, titleOfPanel } from './asked';
import { describeWithPrometheus, Prometheus } from './prometheus';

const ROOT = join(__dirname, '../..');
const MONITORED = join(ROOT, 'docker/prometheus/prometheus.yml');
const TOKEN_FILE = '/etc/prometheus/sluice.token';
/** This metric exists only if a GitHub host is configured. */
const OF_GITHUB = 'sluice_github_requests_remaining';
/**
 * Complaints about gauges with the name of a counter. Node's series have their names from a library, and series of the
 * last hour follow the API's convention.
 */
const NAMED_BY_OTHERS = /^(nodejs_active_\w+|\w+_1h_total) non-counter metrics should not have "_total" suffix$/;

describeWithPrometheus('A real Prometheus', () => {
  let service: Service;
  let reader: Client;
  let prometheus: Prometheus;
  let stranger: Prometheus;

  beforeAll(async () => {
    service = await Service.inMemory({ dataDirectory: tmpdir() });
    const acme = await service.organization('acme');
    const admin = await service.client('acme', 'admin');
    const repo = { host: 'memory.example', owner: 'acme', name: 'widgets' };
    const memory = service.memory.repository('acme', 'widgets');
    await admin.post('createQueue', { repo, targetBranch: 'main', requiredStatuses: ['unit'] });
    memory.openPullRequest(1, { title: 'One', files: { 'a.ts': '1\n' } });
    await admin.post('submitPullRequest', { repo, targetBranch: 'main', pr: { number: 1 } });
    await service.settles();
    await admin.post('cancelPullRequest', { repo, targetBranch: 'main', pr: { number: 1 } });
    await service.settles();
    const rows = new Rows(service.prisma, NOW);
    await rows.repository(acme, 'silent', 'acme', 'memory.example');
    const { host } = new URL(service.url);
    reader = await service.client('acme', 'read');
    const { token } = reader;
    prometheus = await Prometheus.start((folder) => configurationFor(host, folder, token));
    stranger = await Prometheus.start((folder) => configurationFor(host, folder, 'nobody'));
  });

  afterAll(async () => {
    await prometheus?.stop();
    await stranger?.stop();
    await service?.stop();
  });

  /** The project's configuration, with this service's URL and token. */
  function configurationFor(address: string, folder: string, token: string | undefined): string {
    writeFileSync(join(folder, 'token'), token ?? '');
    return readFileSync(MONITORED, 'utf8')
      .replaceAll('service:3000', address)
      .replaceAll(TOKEN_FILE, join(folder, 'token'))
      .replaceAll(/scrape_interval: \w+/g, 'scrape_interval: 1s')
      .replace('rule_files: [alerts.yml]', `rule_files: [${RULES}]`);
  }

  it('loads the alert rules, and the tests of the rules pass', () => {
    execFileSync('promtool', ['check', 'rules', RULES], { stdio: 'pipe' });
    const tested = execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd: join(ROOT, 'docker/prometheus'),
      stdio: 'pipe',
    });
    expect(tested.toString()).toContain('SUCCESS');
  });

  it('has a rule test in which each alert fires', () => {
    const tests = parse(readFileSync(join(ROOT, 'docker/prometheus/alerts.test.yml'), 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
    };
    const coming = tests.tests
      .flatMap(({ alert_rule_test }) => alert_rule_test)
      .filter(({ exp_alerts = [] }) => exp_alerts.length > 0)
      .map(({ alertname }) => alertname);
    expect([...new Set(coming)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it('scrapes the service with a bearer token, at every path', async () => {
    expect(await prometheus.targets()).toEqual({ sluice: 'up', 'sluice-queues': 'up', 'sluice-tests': 'up' });
    expect(await prometheus.valuesOf('sluice_metrics_source_up')).not.toContain(0);
    expect(await prometheus.valuesOf('mq_pr_conclusions_total{conclusion="cancelled"}')).toEqual([1]);
  });

  it('is refused by the service with a wrong token', async () => {
    const refused = 'server returned HTTP status 401 Unauthorized';
    expect(await stranger.targets()).toEqual({ sluice: refused, 'sluice-queues': refused, 'sluice-tests': refused });
  });

  it('finds no fault in the format of any series', async () => {
    for (const path of ['../metrics', '../metrics/queues', '../metrics/tests']) {
      const { text } = await reader.get(path);
      const { stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
      expect(stderr.split('\n').filter((line) => line !== '' && !NAMED_BY_OTHERS.test(line))).toEqual([]);
    }
  });

  it.each(rules.map(({ alert, expr }) => [titleOfAlert(alert), expr] as const))(
    'knows every series in the alert %s',
    async (_, query) => {
      await expectKnown(query);
    },
  );

  it.each(queries.map(([title, query]) => [titleOfPanel(title), query] as const))(
    'knows every series in the dashboard panel %s',
    async (_, query) => {
      await expectKnown(query);
    },
  );

  async function expectKnown(query: string): Promise<void> {
    await prometheus.targets();
    expect(await prometheus.problemOf(query)).toBeNull();
    const known = [...(await prometheus.names()), OF_GITHUB];
    const asked = metricsIn(await prometheus.format(query));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !known.includes(name))).toEqual([]);
  }
});

describe('docs/alerts.md', () => {
  it('gives the meaning of each alert, and what to do', () => {
    const page = readFileSync(join(ROOT, 'docs/alerts.md'), 'utf8');
    const described = [...page.matchAll(/^## (Sluice\w+)$/gm)].map(([, name]) => name);
    expect(described.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});
