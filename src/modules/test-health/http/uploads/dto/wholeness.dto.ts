import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DOUBTS } from '../../../rules/whole-upload';
import { IdentifiedTest } from '../../dto/identified-test.dto';

@ApiSchema({ name: 'RefusedReport' })
class RefusedReport {
  @ApiProperty({ description: 'Name of the file.', example: 'reports/unit.xml' })
  file: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Line of the error, if known.', example: 12 })
  line: number | null;

  @ApiProperty({ description: 'The problem.', example: 'unclosed tag: testsuite' })
  reason: string;
}

@ApiSchema({ name: 'LastSeenTest' })
class LastSeen {
  @ApiProperty({ description: 'The tested commit.', example: '0123456789abcdef0123456789abcdef01234567' })
  commit: string;

  @ApiProperty({ description: 'Address of the CI job; empty when unknown.', example: 'https://ci.example/jobs/7' })
  job_url: string;

  @ApiProperty({ description: 'When the run was uploaded.', format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  at: string;
}

class MissingTest extends IdentifiedTest {
  @ApiProperty({ type: LastSeen, description: 'The latest run of the job that contained the test.' })
  last_seen: LastSeen;
}

@ApiSchema({ name: 'UploadDoubt' })
class UploadDoubt {
  @ApiProperty({
    description: 'The reason as a code, for programs.',
    enum: DOUBTS,
    enumName: 'UploadDoubtKind',
    example: 'missing_tests',
  })
  kind: string;

  @ApiProperty({
    description: 'The reason in one sentence, for people.',
    example: '2 tests that the last runs of this job had are missing from the reports.',
  })
  message: string;
}

/** Whether the reports of an upload account for every failure. */
export class Wholeness {
  @ApiProperty({
    type: [RefusedReport],
    description: 'Files that are not readable reports, at most 100. Those files are not stored.',
  })
  refused_files: RefusedReport[];

  @ApiProperty({ type: 'integer', description: 'How many files were refused.', example: 0 })
  refused_files_total: number;

  @ApiProperty({ type: [String], description: 'Reports without a single result, at most 20.', example: [] })
  empty_files: string[];

  @ApiProperty({
    type: [MissingTest],
    description: 'Missing tests: the last runs of this job had them, and this run did not. At most 100.',
  })
  missing_tests: MissingTest[];

  @ApiProperty({ type: 'integer', description: 'How many tests are missing.', example: 0 })
  missing_tests_total: number;

  @ApiProperty({
    type: [UploadDoubt],
    description:
      'Why a failure of the test command may be missing from these reports; empty when no failure can be missing.',
  })
  doubts: UploadDoubt[];

  @ApiProperty({
    description:
      'Whether the failures may be ignored: some test failed, every failed test is quarantined, and no failure can be missing. Problems that no report shows, such as a missed coverage threshold, are left to the caller.',
    example: false,
  })
  may_pass: boolean;
}
