import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsText } from './text';

const MAX_NAME = 255;

/** The interface's `repo`. `host` is compared in lower case and handed on in it. */
export class RepositoryReference {
  @ApiProperty({
    description: 'Host name of the repository, as the service is configured; any letter case.',
    example: 'local',
    maxLength: MAX_NAME,
  })
  @IsText(MAX_NAME)
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  host: string;

  @ApiProperty({
    description: 'Owner or organization of the repository on its host.',
    example: 'demo',
    maxLength: MAX_NAME,
  })
  @IsText(MAX_NAME)
  owner: string;

  @ApiProperty({ description: 'Name of the repository.', example: 'widgets', maxLength: MAX_NAME })
  @IsText(MAX_NAME)
  name: string;
}
