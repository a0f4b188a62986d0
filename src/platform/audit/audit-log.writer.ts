import { Injectable, Logger } from '@nestjs/common';
import { PrismaService } from '../database/prisma.service';
import { BackgroundJob } from '../lifecycle/background-job';

const EVERY_MS = 2_000;
const AT_ONCE = 100;

/**
 * Copies the audit log into the log of the service, including changes by the command line, which writes no log. After
 * the commit of a change, exactly one process copies the change.
 */
@Injectable()
export class AuditLogWriter {
  private readonly logger = new Logger('Audit');

  constructor(private readonly prisma: PrismaService) {}

  @BackgroundJob({ name: 'audit log', everyMs: EVERY_MS })
  async copyToLog(): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const unlogged = await tx.$queryRaw<{ id: bigint }[]>`/* audit-log.writer copyToLog */
        DELETE FROM "UnloggedAuditEvent" WHERE "id" IN (
          SELECT "id" FROM "UnloggedAuditEvent" ORDER BY "id" LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING "id"`;
      if (unlogged.length === 0) return;
      const where = { id: { in: unlogged.map(({ id }) => id) } };
      const events = await tx.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
      for (const { id, at, actor, channel, address, action, subject, before, after } of events) {
        const message = `${actor}: ${action} ${subject}`;
        const fields = { actor, channel, address, action, subject, from: before, to: after };
        this.logger.log({ message, audit: String(id), at: at.toISOString(), ...fields });
      }
    });
  }
}
