import { ApiProperty } from '@nestjs/swagger';
import { AnyCase } from '../../shared/any-case';
import { Check } from '../../shared/check';
import { Nested } from '../../shared/nested';
import { MayBeAbsent } from '../../shared/presence';
import { RepositoryReference } from '../../shared/repository-reference.dto';
import { IsCommitId, IsText, isText } from '../../shared/text';

const REPORTABLE_STATES = ['pending', 'success', 'failure', 'error', 'neutral', 'skipped', 'cancelled'] as const;

const MAX_CONTEXT = 255;
const MAX_URL = 2_000;
const MAX_DESCRIPTION = 1_000;

export class ReportStatusRequest {
  @Nested(() => RepositoryReference, 'The repository.')
  repo: RepositoryReference;

  @ApiProperty({
    description: 'The commit that was tested. The service may not know the commit yet.',
    example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49',
  })
  @IsCommitId()
  sha: string;

  @ApiProperty({
    description: 'Name of the status, as required statuses name it.',
    maxLength: MAX_CONTEXT,
    example: 'tests',
  })
  @IsText(MAX_CONTEXT)
  context: string;

  @ApiProperty({
    description: 'State of the test.',
    enum: REPORTABLE_STATES,
    enumName: 'ReportedState',
    example: 'success',
  })
  @AnyCase(REPORTABLE_STATES)
  state: (typeof REPORTABLE_STATES)[number];

  @ApiProperty({
    description: 'Address of the log, for people.',
    required: false,
    maxLength: MAX_URL,
    example: 'https://ci.example/runs/1',
  })
  @MayBeAbsent()
  @Check(
    'isUrl',
    (value) => isText(value, MAX_URL) && /^https?:\/\//i.test(value),
    'must be an address that begins with http:// or https://',
  )
  url?: string;

  @ApiProperty({
    description: 'A short text for people.',
    required: false,
    maxLength: MAX_DESCRIPTION,
    example: '12 tests passed',
  })
  @MayBeAbsent()
  @IsText(MAX_DESCRIPTION)
  description?: string;
}

export class ReportedStatus {
  @ApiProperty({ description: 'The commit.', example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49' })
  sha: string;

  @ApiProperty({ description: 'Name of the status.', example: 'tests' })
  context: string;

  @ApiProperty({
    description: 'The state that was stored.',
    enum: REPORTABLE_STATES,
    enumName: 'ReportedState',
    example: 'success',
  })
  state: string;
}
