import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { parseRepositoryPath } from '../../platform/repository-name';
import { Check } from '../shared/check';
import { isText } from '../shared/text';

const MAX_NAME = 255;

/** The query must have both fields or no field, because a name alone could mean repositories on two hosts. */
export class MetricsQuery {
  @ApiProperty({
    description: 'owner/name; absent: all repositories of the organization.',
    required: false,
    example: 'demo/widgets',
  })
  @Check('isRepository', isRepository, 'must be owner/name, and must be given when repoHost is')
  repo?: string;

  @ApiProperty({ description: 'Host of the repository; required with repo.', required: false, example: 'local' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  @Check('isHost', isHost, 'must be the host of repo, and must be given when repo is')
  repoHost?: string;
}

function isRepository(repo: unknown, query: object): boolean {
  if (repo === undefined) return (query as MetricsQuery).repoHost === undefined;
  return isText(repo, 2 * MAX_NAME) && parseRepositoryPath(repo) !== null;
}

function isHost(host: unknown, query: object): boolean {
  if (host === undefined) return (query as MetricsQuery).repo === undefined;
  return isText(host, MAX_NAME);
}
