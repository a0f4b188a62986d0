import type { TestAlarm, TestQuarantineChange, TestStatusChange } from '../../../generated/prisma/client';
import type { FailureRow } from '../../storage/queries/test-history';
import type { AlarmItem, FailureItem, QuarantineChangeItem, StatusChangeItem } from './dto/test-details.dto';

export function statusChangeItem({ at, from, to, reason }: TestStatusChange): StatusChangeItem {
  return { timestamp: at.toISOString(), from, to, reason };
}

export function quarantineChangeItem(change: TestQuarantineChange): QuarantineChangeItem {
  const { at, actor, setting, quarantined, reason } = change;
  return { timestamp: at.toISOString(), actor: actor ?? '', quarantine_setting: setting, quarantined, reason };
}

export function alarmItem({ monitor, verdict, reason, raisedAt }: TestAlarm): AlarmItem {
  return { monitor, status: verdict, reason, raised_at: raisedAt.toISOString() };
}

export function failureItem({ at, summary, commit, branch, prNumber, jobUrl }: FailureRow): FailureItem {
  return {
    timestamp: at.toISOString(),
    summary: summary ?? '',
    commit: commit ?? '',
    branch: branch ?? '',
    pr_number: prNumber,
    job_url: jobUrl ?? '',
  };
}
