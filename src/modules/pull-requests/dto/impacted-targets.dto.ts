import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../../shared/check';
import { Nested } from '../../shared/nested';
import { MayBeAbsent } from '../../shared/presence';
import { PullRequestReference } from '../../shared/pull-request-reference.dto';
import { QueueReference } from '../../shared/queue-reference.dto';
import { IsCommitId } from '../../shared/text';
import { checkTargets } from '../../../domain/impacted-targets';

class PullRequestAtCommit extends PullRequestReference {
  @ApiProperty({
    description: 'The head commit of the targets; absent: the head that the host shows now.',
    required: false,
    example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49',
  })
  @MayBeAbsent()
  @IsCommitId()
  sha?: string;
}

export class SetImpactedTargetsRequest extends QueueReference {
  @Nested(() => PullRequestAtCommit, 'The pull request and the head of the targets.')
  pr: PullRequestAtCommit;

  // One rule checks the whole list: with a rule per element, 200,000 targets would take seconds.
  @ApiProperty({
    description:
      'Names of the targets, each of at most 1,000 characters; or ALL (also IMPACTS_ALL), in any letter case.',
    oneOf: [
      { type: 'array', items: { type: 'string', maxLength: 1_000 } },
      { type: 'string', enum: ['ALL', 'IMPACTS_ALL'] },
    ],
    example: ['//widgets:first', '//widgets:shared'],
  })
  @Check('areTargets', (value) => checkTargets(value) === null, (value) => checkTargets(value) ?? '')
  impactedTargets: string[] | string;
}

export class ImpactedTargetsRecord {
  @ApiProperty({ type: 'integer', description: 'Number of the pull request.', example: 1 })
  prNumber: number;

  @ApiProperty({
    description: 'The head commit that the targets were stored for.',
    example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49',
  })
  prSha: string;

  @ApiProperty({ description: 'Whether the pull request impacts every target.', example: false })
  impactsAll: boolean;

  @ApiProperty({ type: 'integer', description: 'How many distinct targets were stored.', example: 2 })
  targetCount: number;
}
