import { ApiProperty } from '@nestjs/swagger';
import { ROLE_NAMES } from '../../../platform/requests/roles';

const CAPABILITIES = ['read', 'upload', 'report_status', 'submit', 'administer'] as const;

/** A repository to which a token is limited. */
export class LimitedRepository {
  @ApiProperty({ description: 'The code host.', example: 'local' })
  host: string;

  @ApiProperty({ description: 'Owner of the repository.', example: 'demo' })
  owner: string;

  @ApiProperty({ description: 'Name of the repository.', example: 'widgets' })
  name: string;
}

/** The token of the request, without its secret. */
export class CallingToken {
  @ApiProperty({ description: 'Slug of its organization.', example: 'demo' })
  organization: string;

  @ApiProperty({ description: 'Its name; the actor of what it does.', example: 'release team' })
  name: string;

  @ApiProperty({ description: 'Its role.', enum: [...ROLE_NAMES], enumName: 'Role', example: 'submit' })
  role: string;

  @ApiProperty({
    description: 'Its permissions. A role of an earlier version may have one permission more than its name implies.',
    enum: [...CAPABILITIES],
    enumName: 'Capability',
    isArray: true,
    example: ['read', 'upload', 'submit'],
  })
  capabilities: string[];

  @ApiProperty({
    type: [LimitedRepository],
    description: 'The repositories that it is limited to; null: all of its organization.',
    nullable: true,
    example: null,
  })
  repositories: LimitedRepository[] | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'The best priority that it may ask for, 0 being the best; null: any.',
    nullable: true,
    example: null,
  })
  bestPriority: number | null;
}
