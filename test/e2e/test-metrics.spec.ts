import { randomUUID } from 'node:crypto';
import type { Client } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';

const HOUR_MS = 3_600_000;

describe('/metrics/tests', () => {
  let service: Service;
  let ci: Client;
  let text: string;

  beforeAll(async () => {
    service = await Service.start();
    const rows = new Rows(service.prisma, NOW);
    const acme = await service.organization('acme');
    const repositoryId = await rows.repository(acme, 'widgets');
    await rows.repository(acme, 'empty');
    await rows.repository(await service.organization('other'), 'secret');
    ci = await service.client('acme', 'ci');
    await writeTests(repositoryId);
    service.clock.advance(-2 * HOUR_MS);
    await upload({ commit: '0'.repeat(40) }, '<testcase name="too long ago"/><testcase name="b"/>');
    await upload({ commit: '0'.repeat(40) }, '<broken');
    service.clock.advance(2 * HOUR_MS);
    await upload(
      { commit: '1'.repeat(40), branch: 'main' },
      '<testcase name="a"/><testcase name="b"><failure/></testcase>',
    );
    await upload({ commit: '2'.repeat(40), pr_number: '7' }, '<testcase name="a"><failure/></testcase>');
    await upload({ commit: '3'.repeat(40), pr_number: '8' }, '<testcase name="a"><skipped/></testcase>');
    for (let times = 0; times < 3; times++) await upload({ commit: '4'.repeat(40) }, '<broken');
    await upload({ commit: 'no commit' }, '<broken');
    await service.prisma.testUpload.updateMany({ where: { prNumber: 8 }, data: { counted: false } });
    text = await (await fetch(`${service.url}/metrics/tests`, { headers: { 'x-api-token': ci.token! } })).text();
  });

  afterAll(() => service.stop());

  /**
   * Writes tests in addition to the uploaded tests. The uploaded tests are healthy: a, b, and a test that ran too long
   * ago. Retired tests are not counted.
   */
  async function writeTests(repositoryId: string): Promise<void> {
    const same = { repositoryId, variant: '', filePath: '', parent: '', classname: '', codeowners: [] };
    const status = { statusReason: 'why', statusChangedAt: NOW };
    const tests = [
      ['flaky', 'unspecified', true],
      ['flaky', 'always_quarantine', true],
      ['flaky', 'never_quarantine', false],
      ['broken', 'unspecified', false],
    ] as const;
    const data = tests.map(([value, quarantineSetting, quarantined], number) => ({
      ...{ ...same, ...status, id: randomUUID(), name: `test ${number}` },
      ...{ status: value, quarantineSetting, quarantined },
    }));
    await service.prisma.testCase.createMany({ data });
    const retired = data.map((test) => ({ ...test, id: randomUUID(), lastSeenAt: new Date('2026-10-01T12:00:00Z') }));
    await service.prisma.testCase.createMany({ data: retired });
  }

  async function upload(more: Record<string, string>, cases: string): Promise<void> {
    const query = new URLSearchParams({ repo: 'local/acme/widgets', org_url_slug: 'acme', ...more });
    const headers = { 'content-type': 'application/xml' };
    await ci.send(
      'POST',
      `flaky-tests/upload-results?${query.toString()}`,
      `<testsuite name="s">${cases}</testsuite>`,
      headers,
    );
  }

  const valueOf = (name: string, more: string, repo = 'widgets') =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}{repo="acme/${repo}",repo_host="local",${more}} `))
      ?.split(' ')
      .at(-1);

  it.each([
    ['test_health_tests', 'status="healthy"', '3'],
    ['test_health_tests', 'status="flaky"', '3'],
    ['test_health_tests', 'status="broken"', '1'],
    ['test_health_quarantined_tests', 'setting="unspecified"', '1'],
    ['test_health_quarantined_tests', 'setting="always_quarantine"', '1'],
    ['test_health_uploads_1h_total', 'result="stored"', '2'],
    ['test_health_uploads_1h_total', 'result="left_out"', '1'],
    ['test_health_uploads_1h_total', 'result="refused"', '3'],
    ['test_health_results_1h_total', 'branch_class="stable",outcome="passed"', '1'],
    ['test_health_results_1h_total', 'branch_class="stable",outcome="failed"', '1'],
    ['test_health_results_1h_total', 'branch_class="pull_request",outcome="failed"', '1'],
    ['test_health_results_1h_total', 'branch_class="pull_request",outcome="skipped"', '0'],
    ['test_health_results_1h_total', 'branch_class="queue",outcome="failed"', '0'],
  ])('has the values for a repository that were calculated manually: %s of %s is %s', (name, more, expected) => {
    expect(valueOf(name, more)).toBe(expected);
  });

  it('has every series of a repository without tests, and reveals nothing about other organizations', () => {
    expect(valueOf('test_health_tests', 'status="flaky"', 'empty')).toBe('0');
    expect(valueOf('test_health_uploads_1h_total', 'result="refused"', 'empty')).toBe('0');
    expect(text).not.toContain('secret');
  });

  it('does not change the series that the API documents', async () => {
    expect((await ci.get('getMergeQueueMetrics')).text).not.toContain('test_health');
  });
});
