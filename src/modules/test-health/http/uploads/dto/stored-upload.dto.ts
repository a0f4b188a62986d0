import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdentifiedTest } from '../../dto/identified-test.dto';
import { KnownOfFailureDto } from './known-of-failure.dto';
import { Wholeness } from './wholeness.dto';

class ResultCounts {
  @ApiProperty({ type: 'integer', description: 'Number of all results.', example: 120 })
  total: number;

  @ApiProperty({ type: 'integer', description: 'How many results passed.', example: 118 })
  passed: number;

  @ApiProperty({ type: 'integer', description: 'How many results failed.', example: 1 })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'How many results were skipped.', example: 1 })
  skipped: number;
}

class SharedTests {
  @ApiProperty({
    type: 'integer',
    description:
      'How many of the tests are also in an upload with the same `part`: jobs of a matrix have one name, or a step ran its tests twice.',
    example: 0,
  })
  same_part: number;

  @ApiProperty({
    type: 'integer',
    description: 'How many of the tests are also in an upload with another `part`: two tests have one name.',
    example: 0,
  })
  other_parts: number;
}

/** Clients that are generated from /openapi.json use this name. */
@ApiSchema({ name: 'FailedTest' })
export class UploadFailure extends IdentifiedTest {
  @ApiProperty({ description: 'Whether failures of the test are to be ignored.', example: true })
  quarantined: boolean;

  @ApiProperty({
    type: KnownOfFailureDto,
    nullable: true,
    description: 'Known facts about the test; null after the first 40 tests of the list.',
  })
  known: KnownOfFailureDto | null;
}

/** The answer to an upload. */
export class StoredUpload extends Wholeness {
  @ApiProperty({ description: 'Id of the upload: the id of the request, or a new id.', example: 'job-7-attempt-1' })
  upload_id: string;

  @ApiProperty({
    description: '`known`: an upload with this id was stored before, and the new request changed nothing.',
    enum: ['stored', 'known'],
    enumName: 'UploadStatus',
    example: 'stored',
  })
  status: string;

  @ApiProperty({
    description:
      'False when so many healthy tests of its commit failed together that the machines are the likely cause: no monitor reads the uploads of the commit then. Later uploads of the commit may change this value.',
    example: true,
  })
  counted: boolean;

  @ApiProperty({
    description:
      '`stable`: its commit was the tip of the default branch or of a target branch. `queue`: it was the tip of a testing branch. `pull_request`: all other commits, also when the host does not answer; the upload then quarantines no test on other branches. If there is no host to ask, the branch that the upload names decides.',
    enum: ['queue', 'pull_request', 'stable'],
    enumName: 'BranchClass',
    example: 'stable',
  })
  branch_class: string;

  @ApiProperty({ type: ResultCounts, description: 'Results of the upload.' })
  results: ResultCounts;

  @ApiProperty({
    type: 'integer',
    description:
      'How many new tests are stored under one common name, because the repository has 250,000 tests that ran in the last 30 days. Those tests are never quarantined.',
    example: 0,
  })
  tests_set_aside: number;

  @ApiProperty({
    type: SharedTests,
    description:
      'How many tests of this upload are also in other uploads of the same `attempt` of the job. These tests ran under several conditions. A test that fails in one attempt is then harder to tell from a test that fails under one condition.',
  })
  shared_tests: SharedTests;

  @ApiProperty({
    type: [UploadFailure],
    description:
      'The tests that failed in the upload, at most 1,000; tests not known to fail come first, quarantined tests last.',
  })
  failures: UploadFailure[];

  @ApiProperty({ description: 'Whether more tests failed than are listed.', example: false })
  failures_truncated: boolean;

  @ApiProperty({
    description: 'Whether every failed test of the upload is quarantined; true without failures.',
    example: true,
  })
  all_failures_quarantined: boolean;
}
