import { reporterInWords } from '../../domain/status-reporter';
import { type Finding, ok } from '../../domain/host-examination';
import type { PrismaService } from '../../platform/database/prisma.service';

export interface LearnedReporter {
  readonly name: string;
  readonly reporter: string;
  readonly before: string | null;
}

/** By queue id: the reporters of the required statuses at the most recent merge. */
export async function readReporters(prisma: PrismaService): Promise<ReadonlyMap<string, readonly LearnedReporter[]>> {
  const rows = await prisma.statusReporter.findMany({ orderBy: { name: 'asc' } });
  const byQueue = new Map<string, LearnedReporter[]>();
  for (const { queueId, ...row } of rows) byQueue.set(queueId, [...(byQueue.get(queueId) ?? []), row]);
  return byQueue;
}

const ANYBODY =
  'Everybody who can change a workflow can report this status. Require a job by its own name, or name the reporter in statusReporters.';

/** A status that named CI jobs report needs no finding, because exactly these jobs decide whether it passes. */
export function reportersOf(about: string, reporters: readonly LearnedReporter[]): readonly Finding[] {
  return reporters
    .filter(({ reporter }) => reporter !== 'job')
    .map(({ name, reporter, before }) => {
      const earlier = before === null ? '' : `, and before by ${reporterInWords(before)}`;
      const what = `the required status ${name} is reported by ${reporterInWords(reporter)}${earlier}`;
      return ok(about, what, reporter === 'job_token' ? ANYBODY : null);
    });
}
