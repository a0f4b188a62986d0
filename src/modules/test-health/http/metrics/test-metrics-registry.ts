import type { HostRepository } from '../../../../domain/host-repository';
import { Gauge, Registry } from 'prom-client';
import { BRANCH_CLASS_CODES } from '../../rules/branches';
import type { CountedRow, QuarantineCountRow, StatusCountRow, UploadCountRow } from '../../storage/queries/test-counts';

/** The labels of series in addition to the repository, with all their values. */
const VALUES = {
  status: ['healthy', 'flaky', 'broken'],
  setting: ['always_quarantine', 'unspecified'],
  branch_class: Object.keys(BRANCH_CLASS_CODES),
  outcome: ['passed', 'failed', 'skipped'],
  result: ['stored', 'left_out', 'refused'],
} as const;
type Label = keyof typeof VALUES;

interface TestMeasurements {
  readonly tests: readonly StatusCountRow[];
  readonly quarantined: readonly QuarantineCountRow[];
  readonly uploads: readonly UploadCountRow[];
  readonly refused: readonly CountedRow[];
}

/**
 * The metrics of the tests of these repositories in a new registry. Every series exists, with 0 if nothing was counted.
 */
export function testRegistryOf(repositories: readonly HostRepository[], measured: TestMeasurements): Registry {
  const registry = new Registry();
  const labels = new Map(
    repositories.map((one) => [one.id, { repo: `${one.owner}/${one.name}`, repo_host: one.host }]),
  );
  const gauge = (name: string, help: string, more: readonly Label[]) => {
    const series = new Gauge({ name, help, labelNames: ['repo', 'repo_host', ...more], registers: [registry] });
    for (const own of labels.values()) for (const values of everyValue(more)) series.set({ ...own, ...values }, 0);
    return (id: string, values: Partial<Record<Label, string>>, times: number) =>
      series.inc({ ...labels.get(id), ...values }, times);
  };

  const tests = gauge('test_health_tests', 'Tests by their status.', ['status']);
  for (const { repositoryId, status, times } of measured.tests) tests(repositoryId, { status }, times);

  const help = 'Tests whose failures are ignored, by their manual setting.';
  const quarantined = gauge('test_health_quarantined_tests', help, ['setting']);
  for (const { repositoryId, setting, times } of measured.quarantined) quarantined(repositoryId, { setting }, times);

  const uploads = gauge('test_health_uploads_1h_total', 'Uploads of the last hour, by outcome.', ['result']);
  for (const { repositoryId, counted, times } of measured.uploads) {
    uploads(repositoryId, { result: counted ? 'stored' : 'left_out' }, times);
  }
  for (const { repositoryId, times } of measured.refused) uploads(repositoryId, { result: 'refused' }, times);

  const ofUploads = 'Results of the last hour, by branch class, without uploads that no monitor reads.';
  const results = gauge('test_health_results_1h_total', ofUploads, ['branch_class', 'outcome']);
  for (const row of measured.uploads.filter(({ counted }) => counted)) {
    for (const outcome of VALUES.outcome) {
      results(row.repositoryId, { branch_class: row.branchClass, outcome }, row[outcome]);
    }
  }
  return registry;
}

/** All combinations of the values of the labels. */
function everyValue(labels: readonly Label[]): Partial<Record<Label, string>>[] {
  return labels.reduce<Partial<Record<Label, string>>[]>(
    (found, label) => found.flatMap((one) => VALUES[label].map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}
