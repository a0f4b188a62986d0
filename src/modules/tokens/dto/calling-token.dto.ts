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
  @ApiProperty({ description: 'Slug of the organization that the token belongs to.', example: 'demo' })
  organization: string;

  @ApiProperty({ description: 'Name of the token, shown as the actor of its changes.', example: 'release team' })
  name: string;

  @ApiProperty({ description: 'Role of the token.', enum: [...ROLE_NAMES], enumName: 'Role', example: 'submit' })
  role: string;

  @ApiProperty({
    description:
      'Permissions of the token. A role of an earlier version may have one permission more than its name implies.',
    enum: [...CAPABILITIES],
    enumName: 'Capability',
    isArray: true,
    example: ['read', 'upload', 'submit'],
  })
  capabilities: string[];

  @ApiProperty({
    type: [LimitedRepository],
    description: 'The repositories that the token is limited to; null: all repositories of its organization.',
    nullable: true,
    example: null,
  })
  repositories: LimitedRepository[] | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'The best priority that the token may request, 0 being the best; null: any.',
    nullable: true,
    example: null,
  })
  bestPriority: number | null;
}
