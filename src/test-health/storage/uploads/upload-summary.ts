import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../../platform/database/prisma.service';
import type { FailedTest, StoredUpload } from '../../http/uploads/dto/stored-upload.dto';

const MOST_LISTED = 1_000;

/** Reads what became of an upload: the same for the first answer as for a repeated one. */
@Injectable()
export class StoredUploads {
  constructor(private readonly prisma: PrismaService) {}

  async read(repositoryId: string, uploadId: string, status: 'stored' | 'known'): Promise<StoredUpload> {
    const upload = await this.prisma.testUpload.findUniqueOrThrow({
      where: { repositoryId_uploadId: { repositoryId, uploadId } },
    });
    const { passed, failed, skipped, counted } = upload;
    const failures = failed === 0 ? [] : await this.failuresOf(upload.id);
    const isQuarantined = failed === 0 || (await this.isEveryFailureQuarantined(upload.id));
    return {
      upload_id: uploadId,
      status,
      counted,
      results: { total: passed + failed + skipped, passed, failed, skipped },
      failures: failures.slice(0, MOST_LISTED),
      failures_truncated: failures.length > MOST_LISTED,
      all_failures_quarantined: isQuarantined,
    };
  }

  private failuresOf(id: bigint): Promise<FailedTest[]> {
    return this.prisma.$queryRaw<FailedTest[]>`
      SELECT t."id" AS "test_case_id", t."name", t."classname", t."parent", t."filePath" AS "file", t."variant",
        t."status", t."quarantined"
      FROM test_results.upload_failure f JOIN "TestCase" t ON t."id" = f.test_case_id
      WHERE f.upload_id = ${id} ORDER BY t."id" LIMIT ${MOST_LISTED + 1}`;
  }

  private async isEveryFailureQuarantined(id: bigint): Promise<boolean> {
    const [row] = await this.prisma.$queryRaw<{ all: boolean }[]>`
      SELECT bool_and(t."quarantined") AS "all"
      FROM test_results.upload_failure f JOIN "TestCase" t ON t."id" = f.test_case_id WHERE f.upload_id = ${id}`;
    return row?.all ?? false;
  }
}
