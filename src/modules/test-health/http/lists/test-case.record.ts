import type { TestCase } from '../../../../generated/prisma/client';
import type { HostRepository } from '../../../../domain/host-repository';
import type { CommonFailureRow } from '../../storage/queries/failing-tests';
import type { FailingTestItem, QuarantinedTestItem, TestCaseItem } from './dto/test-lists.dto';
import type { FailureRates } from '../../storage/queries/recent-results';

/** The parts from which the URLs in an item are made. */
interface Addresses {
  readonly publicUrl: string;
  readonly repository: HostRepository;
}

export function testCaseItem(
  row: TestCase,
  impactedPullRequests: number | undefined,
  { publicUrl, repository }: Addresses,
): TestCaseItem {
  return {
    id: row.id,
    repository: { html_url: `https://${repository.host}/${repository.owner}/${repository.name}` },
    html_url: `${publicUrl}/ui/tests/${row.id}`,
    name: row.name,
    variant: row.variant,
    status: { value: row.status, reason: row.statusReason, timestamp: row.statusChangedAt.toISOString() },
    codeowners: row.codeowners,
    pull_requests_impacted_last_7d: impactedPullRequests ?? 0,
    quarantined: row.quarantined,
    file_path: row.filePath,
    parent: row.parent,
    classname: row.classname,
    ticket: { html_url: row.ticketUrl ?? '' },
  };
}

export function failingTestItem(
  item: TestCaseItem,
  rates: FailureRates | undefined,
  failures: readonly CommonFailureRow[],
  leftOut: number | undefined,
): FailingTestItem {
  return {
    ...item,
    most_common_failures: failures.map(({ summary, times, last }) => ({
      summary,
      occurrence_count: times,
      last_occurrence: last.toISOString(),
    })),
    failure_rate_last_7d: rates?.last7Days ?? 0,
    failure_rate_last_24h: rates?.last24Hours ?? 0,
    left_out_failures: leftOut ?? 0,
  };
}

export function quarantinedTestItem(row: TestCase): QuarantinedTestItem {
  return {
    name: row.name,
    parent: row.parent,
    file: row.filePath,
    classname: row.classname,
    codeowners: row.codeowners,
    quarantined_at: (row.quarantinedAt ?? row.statusChangedAt).toISOString(),
    status_last_updated_at: row.statusChangedAt.toISOString(),
    test_case_id: row.id,
    variant: row.variant,
    status: row.status,
    quarantine_setting: row.quarantineSetting,
  };
}
