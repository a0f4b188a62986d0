import { ApiProperty } from '@nestjs/swagger';

class RefusedCancellation {
  @ApiProperty({ type: 'integer', description: 'Number of the pull request.', example: 7 })
  prNumber: number;

  @ApiProperty({ description: 'The reason, as an error code of cancelPullRequest.', example: 'PR_NOT_IN_ACTIVE_STATE' })
  code: string;

  @ApiProperty({
    description: 'The reason in words.',
    example: 'pull request #7 is being merged: it is too late to cancel',
  })
  message: string;
}

export class CancelledPullRequests {
  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    description: 'Numbers of the cancelled pull requests, in queue order.',
    example: [8, 9],
  })
  cancelled: number[];

  @ApiProperty({
    type: [RefusedCancellation],
    description: 'Pull requests that were not cancelled, because they are being merged or have just merged.',
  })
  refused: RefusedCancellation[];
}
