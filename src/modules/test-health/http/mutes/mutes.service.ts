import { Injectable } from '@nestjs/common';
import { changeRecorded } from '../../../../platform/audit/audit-log';
import { requireOwnSlug } from '../../../../platform/auth/organization-slug';
import type { Caller } from '../../../../platform/requests/caller';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService, type Tx } from '../../../../platform/database/prisma.service';
import { auditedBy } from '../audited';
import { QueueLocator } from '../../../shared/queue-locator';
import { invalidField, noSuchTest } from '../refusals';
import { lockSettingsToRead, readSettings } from '../../storage/settings';
import { lockTest } from '../../storage/evaluation/due-tests';
import type { MutedMonitor, MuteMonitorRequest, UnmuteMonitorRequest } from './dto/mute-monitor.dto';
import { evaluateClaimed } from '../../storage/evaluation/test-evaluator';

/** Mutes monitors for single tests. The same transaction evaluates the test again. */
@Injectable()
export class MutesService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
  ) {}

  mute(caller: Caller, request: MuteMonitorRequest): Promise<MutedMonitor> {
    const { test_case_id: testCaseId, monitor, reason } = request;
    const now = this.clock.now();
    const until = request.until === undefined ? null : new Date(request.until);
    return this.change('monitor.muted', caller, request, now, async (tx, repositoryId) => {
      if (until !== null && until <= now) throw invalidField('until', 'must be in the future');
      const { monitors } = await readSettings(tx, repositoryId);
      if (!monitors.some(({ name }) => name === monitor)) {
        throw invalidField('monitor', `must be one of: ${monitors.map(({ name }) => name).join(', ')}`);
      }
      const data = { actor: caller.tokenName, reason, mutedAt: now, until };
      await tx.testMute.upsert({
        where: { testCaseId_monitor: { testCaseId, monitor } },
        create: { testCaseId, monitor, ...data },
        update: data,
      });
      return { muted: true, until: until?.toISOString() ?? null };
    });
  }

  /** Changes nothing if the monitor is not muted. */
  unmute(caller: Caller, request: UnmuteMonitorRequest): Promise<MutedMonitor> {
    const { test_case_id: testCaseId, monitor } = request;
    return this.change('monitor.unmuted', caller, request, this.clock.now(), async (tx) => {
      await tx.testMute.deleteMany({ where: { testCaseId, monitor } });
      return { muted: false, until: null };
    });
  }

  private async change(
    action: 'monitor.muted' | 'monitor.unmuted',
    caller: Caller,
    { repo, org_url_slug, test_case_id, monitor }: UnmuteMonitorRequest,
    now: Date,
    write: (tx: Tx, repositoryId: string) => Promise<Pick<MutedMonitor, 'muted' | 'until'>>,
  ): Promise<MutedMonitor> {
    requireOwnSlug(caller, org_url_slug);
    const repository = await this.locator.repository(caller, repo);
    return this.prisma.$transaction(async (tx) => {
      await lockSettingsToRead(tx);
      const test = await lockTest(tx, repository.id, test_case_id);
      if (!test) throw noSuchTest(test_case_id);
      const mute = await tx.testMute.findUnique({ where: { testCaseId_monitor: { testCaseId: test.id, monitor } } });
      const written = await write(tx, repository.id);
      const from = { muted: mute !== null, until: mute?.until ?? null };
      const to = { muted: written.muted, until: written.until };
      await tx.$executeRaw(
        changeRecorded({ ...auditedBy(caller, repository, now, `${monitor} of ${test.id}`), action, from, to }),
      );
      await evaluateClaimed(tx, [test], now);
      const { status } = await tx.testCase.findUniqueOrThrow({ where: { id: test.id }, select: { status: true } });
      return { test_case_id: test.id, monitor, ...written, status };
    });
  }
}
