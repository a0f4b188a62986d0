import { ApiProperty } from '@nestjs/swagger';
import { parseRepositoryName } from '../../../platform/repository-name';
import { isBranchName } from '../../shared/branch-name';
import { Check } from '../../shared/check';
import { MayBeAbsent } from '../../shared/presence';
import { isText } from '../../shared/text';

const MAX_NAME = 800;

/** Selects the queues of a stream. */
export class QueueEventsQuery {
  @ApiProperty({
    description: 'host/owner/name: only the queues of this repository. Absent: all queues that the token may see.',
    required: false,
    example: 'local/demo/widgets',
  })
  @Check(
    'isRepository',
    (repo, query) => (repo === undefined ? (query as QueueEventsQuery).targetBranch === undefined : isName(repo)),
    'must be host/owner/name, and must be given when targetBranch is',
  )
  repo?: string;

  @ApiProperty({ description: 'Only the queue of this branch of the repository.', required: false, example: 'main' })
  @MayBeAbsent()
  @Check('isBranchName', isBranchName, 'must be a branch name, such as main, without refs/heads/')
  targetBranch?: string;
}

function isName(repo: unknown): boolean {
  return isText(repo, MAX_NAME) && parseRepositoryName(repo) !== null;
}
