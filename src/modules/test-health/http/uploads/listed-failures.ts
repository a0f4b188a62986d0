import type { KnownOfFailure } from '../../storage/queries/known-of-failures';
import type { UploadSummary } from '../../storage/uploads/upload-summary';
import type { UploadFailure } from './dto/stored-upload.dto';
import type { KnownOfFailureDto } from './dto/known-of-failure.dto';

/** The failures of an upload as its answer lists them. `publicUrl`: of the service. */
export function listedFailures({ failures, known }: UploadSummary, publicUrl: string): UploadFailure[] {
  return failures.map(({ id, ...test }) => ({ test_case_id: id, ...test, known: knownOf(known.get(id), publicUrl) }));
}

function knownOf(known: KnownOfFailure | undefined, publicUrl: string): KnownOfFailureDto | null {
  if (known === undefined) return null;
  const { id, since, reason, owners, days, ran, failed, lastFailedAt, lastFailedOn, message, stack } = known;
  return {
    since: since.toISOString(),
    reason,
    codeowners: [...owners],
    html_url: `${publicUrl}/ui/tests/${id}`,
    quarantine_url: `${publicUrl}/ui/tests/${id}?quarantine=always`,
    earlier_runs: { days, ran, failed },
    last_failure: lastFailedAt === null ? null : { at: lastFailedAt.toISOString(), branch: lastFailedOn ?? '' },
    message,
    stack,
  };
}
