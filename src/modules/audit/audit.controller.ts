import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type AuditPage, readAuditLog } from '../../platform/audit/audit-log';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { PrismaService } from '../../platform/database/prisma.service';
import { Endpoint } from '../../platform/openapi/endpoint';
import { instantOf } from '../shared/instant';
import { AuditAnswer, AuditQuery, DEFAULT_TAKE } from './dto/audit.dto';

@ApiTags('Audit')
@Controller()
export class AuditController {
  constructor(private readonly prisma: PrismaService) {}

  @Get('audit')
  @Endpoint({
    summary: 'List changes: settings, tokens, repositories, quarantine, and direct merges',
    description: 'A token that is limited to repositories sees only changes about these repositories.',
    capability: 'administer',
    response: AuditAnswer,
    errors: ['VALIDATION_FAILED'],
  })
  async getAuditLog(
    @CurrentCaller() { organizationId, repositoryIds }: Caller,
    @Query() { since, until, cursor, take = DEFAULT_TAKE }: AuditQuery,
  ): Promise<AuditAnswer> {
    const page = await readAuditLog(this.prisma, {
      ...{ organizationId, repositoryIds, take },
      ...(since !== undefined && { since: instantOf(since) }),
      ...(until !== undefined && { until: instantOf(until) }),
      ...(cursor !== undefined && { cursor: BigInt(cursor) }),
    });
    return answerOf(page);
  }
}

function answerOf({ events, nextCursor }: AuditPage): AuditAnswer {
  return {
    items: events.map(({ id, at, actor, channel, address, action, subject, before, after }) => ({
      ...{ id: String(id), at: at.toISOString(), actor, channel, address, action, subject },
      from: before as object | null,
      to: after as object | null,
    })),
    nextCursor: nextCursor === null ? null : String(nextCursor),
  };
}
