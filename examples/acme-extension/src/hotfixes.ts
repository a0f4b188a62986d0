import { Injectable } from '@nestjs/common';
import { type Caller, Clock, defineErrorCode, DomainError, MergeQueue, PrismaService } from '@sluice-queue/sluice';
import type { HotfixRecord, HotfixRequest } from './hotfix.dto';
import { settings } from './settings';

export const TOO_MANY_HOTFIXES = defineErrorCode('ACME_TOO_MANY_HOTFIXES', {
  status: 409,
  example: 'All 3 hotfixes of today are used.',
});

@Injectable()
export class Hotfixes {
  constructor(
    private readonly queue: MergeQueue,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  async submit(caller: Caller, { repo, targetBranch, pr, because }: HotfixRequest): Promise<HotfixRecord> {
    const left = settings.hotfixesPerDay - (await this.countToday(caller.organizationSlug));
    if (left <= 0) {
      throw new DomainError(TOO_MANY_HOTFIXES, `All ${settings.hotfixesPerDay} hotfixes of today are used.`);
    }
    // The caller itself, not its organization, so that the limits of its token apply here, too.
    const onBehalfOf = { ...caller, tokenName: `${caller.tokenName}: ${because}` };
    const { state } = await this.queue.submitPullRequest(onBehalfOf, { repo, targetBranch, pr, priority: 0 });
    await this.prisma.$executeRaw`
      INSERT INTO ext_acme.hotfix (organization, number, requested_at)
      VALUES (${caller.organizationSlug}, ${pr.number}, ${this.clock.now()})`;
    return { number: pr.number, state, left: left - 1 };
  }

  private async countToday(organization: string): Promise<number> {
    const [row] = await this.prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM ext_acme.hotfix
      WHERE organization = ${organization} AND requested_at >= date_trunc('day', ${this.clock.now()}::timestamptz)`;
    return row?.count ?? 0;
  }
}
