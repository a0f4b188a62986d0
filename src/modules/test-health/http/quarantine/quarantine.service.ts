import { Injectable } from '@nestjs/common';
import type { TestCase } from '../../../../generated/prisma/client';
import type { Caller } from '../../../../platform/requests/caller';
import { changeRecorded } from '../../../../platform/audit/audit-log';
import { requireOwnSlug } from '../../../../platform/auth/organization-slug';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService } from '../../../../platform/database/prisma.service';
import { appendTestEvents } from '../../../../processing/notifications/append-test-events';
import { auditedBy } from '../audited';
import { QueueLocator } from '../../../shared/queue-locator';
import { lockTest } from '../../storage/evaluation/due-tests';
import type { HealthStatus } from '../../rules/settings';
import { lockSettingsToRead, readSettings } from '../../storage/settings';
import { type KnownName, knownTests } from '../../storage/queries/named-tests';
import type { AskedTest, GetQuarantinedRequest, QuarantinedAnswer, TestName } from './dto/get-quarantined.dto';
import type { QuarantinedState, SetQuarantineRequest } from './dto/set-quarantine.dto';
import { noSuchTest } from '../refusals';
import { quarantineOf, type QuarantineSetting, type QuarantineSwitches } from '../../rules/quarantine';

@Injectable()
export class QuarantineService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
  ) {}

  /** Uses the current settings, even if the lists of tests do not reflect a recent change yet. */
  async read(caller: Caller, { repo, org_url_slug, tests }: GetQuarantinedRequest): Promise<QuarantinedAnswer> {
    requireOwnSlug(caller, org_url_slug);
    const { id: repositoryId } = await this.locator.repository(caller, repo);
    const settings = await readSettings(this.prisma, repositoryId);
    const known = await knownTests(this.prisma, repositoryId, repo, tests);
    const asked = tests.map((test, index) => askedTest(test, known[index]!, settings));
    return {
      quarantine_enabled: settings.quarantineEnabled,
      tests: asked,
      all_quarantined: asked.every(({ quarantined }) => quarantined),
    };
  }

  async set(caller: Caller, request: SetQuarantineRequest): Promise<QuarantinedState> {
    requireOwnSlug(caller, request.org_url_slug);
    const repository = await this.locator.repository(caller, request.repo);
    const repositoryId = repository.id;
    const { test_case_id: testCaseId, setting, reason } = request;
    const at = this.clock.now();
    return this.prisma.$transaction(async (tx) => {
      await lockSettingsToRead(tx);
      const test = await lockTest(tx, repositoryId, testCaseId);
      if (!test) throw noSuchTest(testCaseId);
      const settings = await readSettings(tx, repositoryId);
      const { quarantined } = quarantineOf(setting, test, settings);
      const since = quarantined === test.quarantined ? {} : { quarantinedAt: quarantined ? at : null };
      const row = await tx.testCase.update({
        where: { id: testCaseId },
        data: { quarantineSetting: setting, quarantined, ...since },
      });
      await tx.testQuarantineChange.create({
        data: { testCaseId, at, actor: caller.tokenName, setting, quarantined, reason },
      });
      if (quarantined !== test.quarantined) {
        const told = { type: 'quarantine_changed', testCaseId, quarantined, reason, actor: caller.tokenName } as const;
        await appendTestEvents(tx, repositoryId, [told], at);
      }
      const audited = auditedBy(caller, repository, at, `${row.name} (${testCaseId})`);
      const [from, to] = [
        { setting: test.quarantineSetting, quarantined: test.quarantined },
        { setting, quarantined, reason },
      ];
      await tx.$executeRaw(changeRecorded({ ...audited, action: 'quarantine.set', from, to }));
      return stateOf(row, settings);
    });
  }
}

function askedTest({ name = '' }: TestName, { id, row }: KnownName, switches: QuarantineSwitches): AskedTest {
  if (row) return { ...stateOf(row, switches), known: true };
  const reason = 'nothing was uploaded about this test';
  const state = { status: 'healthy', quarantine_setting: 'unspecified', quarantined: false, reason };
  return { test_case_id: id, name, ...state, known: false };
}

function stateOf(row: TestCase, switches: QuarantineSwitches): QuarantinedState {
  const { id, name, status, quarantineSetting } = row;
  const { statusFromPullRequests: isFromPullRequests, outsideTests: isOutsideTests } = row;
  const standing = { status: status as HealthStatus, isFromPullRequests, isOutsideTests };
  const quarantine = quarantineOf(quarantineSetting as QuarantineSetting, standing, switches);
  return { test_case_id: id, name, status, quarantine_setting: quarantineSetting, ...quarantine };
}
