import { ApiProperty } from '@nestjs/swagger';
import { IsBranchName } from './branch-name';
import { Nested } from './nested';
import { PullRequestReference } from './pull-request-reference.dto';
import { RepositoryReference } from './repository-reference.dto';

/** Every request about a queue has these fields. */
export class QueueReference {
  @Nested(() => RepositoryReference, 'The repository.')
  repo: RepositoryReference;

  @ApiProperty({ description: 'Target branch of the queue, without refs/heads/.', example: 'main' })
  @IsBranchName()
  targetBranch: string;
}

/** Every request about a pull request in a queue has these fields. */
export class QueuedPullRequestReference extends QueueReference {
  @Nested(() => PullRequestReference, 'The pull request.')
  pr: PullRequestReference;
}
