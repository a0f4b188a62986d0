import type { UploadSummary } from '../../storage/uploads/upload-summary';
import type { Wholeness } from './dto/wholeness.dto';

/** Whether the reports of an upload account for every failure, and what they leave open. */
export function wholeness(summary: UploadSummary): Wholeness {
  const { findings, missing, missingCount, doubts } = summary;
  return {
    refused_files: [...findings.refused],
    refused_files_total: findings.refusedCount,
    empty_files: [...findings.emptyFiles],
    missing_tests: missing.map(({ id, commit, jobUrl, seenAt, ...test }) => ({
      test_case_id: id,
      ...test,
      last_seen: { commit, job_url: jobUrl ?? '', at: seenAt.toISOString() },
    })),
    missing_tests_total: missingCount,
    doubts: [...doubts],
    may_pass: summary.failed > 0 && summary.areAllFailuresQuarantined && doubts.length === 0,
  };
}
