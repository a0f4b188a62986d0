import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isOwnerName, isRepositoryName } from '../../platform/repository-name';
import { Check } from './check';
import { IsText, isText } from './text';

const MAX_NAME = 255;

/** The field `repo` of requests. The handler gets `host` in lower case. */
export class RepositoryReference {
  @ApiProperty({
    description: 'Host name as the service is configured with it; any letter case.',
    example: 'local',
    maxLength: MAX_NAME,
  })
  @IsText(MAX_NAME)
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  host: string;

  @ApiProperty({
    description: 'Owner or organization of the repository on its host; may be a path, such as group/subgroup.',
    example: 'demo',
    maxLength: MAX_NAME,
  })
  @Check(
    'isOwnerName',
    (value) => isText(value, MAX_NAME) && isOwnerName(value),
    `must be 1 to ${MAX_NAME} letters, digits, ".", "_" and "-", beginning with a letter, a digit or "_"; parts are joined by "/"`,
  )
  owner: string;

  @ApiProperty({ description: 'Name of the repository.', example: 'widgets', maxLength: MAX_NAME })
  @Check(
    'isRepositoryName',
    (value) => isText(value, MAX_NAME) && isRepositoryName(value),
    `must be 1 to ${MAX_NAME} letters, digits, ".", "_" and "-", and may not be "." or ".." or begin with "-"`,
  )
  name: string;
}
