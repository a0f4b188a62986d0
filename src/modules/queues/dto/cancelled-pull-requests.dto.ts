import { ApiProperty } from '@nestjs/swagger';

class RefusedCancellation {
  @ApiProperty({ type: 'integer', description: 'Number of the pull request.', example: 7 })
  prNumber: number;

  @ApiProperty({ description: 'Why, as the error code of cancelPullRequest.', example: 'PR_NOT_IN_ACTIVE_STATE' })
  code: string;

  @ApiProperty({
    description: 'Why, for people.',
    example: 'pull request #7 is being merged: it is too late to cancel',
  })
  message: string;
}

export class CancelledPullRequests {
  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    description: 'Numbers of those that were taken out, in the order of the queue.',
    example: [8, 9],
  })
  cancelled: number[];

  @ApiProperty({
    type: [RefusedCancellation],
    description: 'Those that were not: they are being merged, or just were.',
  })
  refused: RefusedCancellation[];
}
