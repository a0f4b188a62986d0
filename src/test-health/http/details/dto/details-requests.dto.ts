import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../../../../shared/dto/check';
import { Nested } from '../../../../shared/dto/nested';
import { RepositoryReference } from '../../../../shared/dto/repository-reference.dto';
import { IsText } from '../../../../shared/dto/text';
import { isTestId } from '../../dto/test-reference.dto';
import { isTicket, MAX_TICKET } from './ticket';

const MAX_SLUG = 255;
const TEST_ID = { format: 'uuid', example: '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11' } as const;

export class GetTestDetailsRequest {
  @Nested(() => RepositoryReference, 'The repository of the test.')
  repo: RepositoryReference;

  @ApiProperty({ description: "Slug of the caller's organization.", example: 'demo' })
  @IsText(MAX_SLUG)
  org_url_slug: string;

  @ApiProperty({ description: 'Id of the test, as the lists have it.', ...TEST_ID })
  @Check('isTestId', isTestId, 'must be the id of a test, a UUID')
  test_id: string;
}

export class LinkTicketRequest {
  @Nested(() => RepositoryReference, 'The repository of the test.')
  repo: RepositoryReference;

  @ApiProperty({ description: 'Id of the test, as the lists have it.', ...TEST_ID })
  @Check('isTestId', isTestId, 'must be the id of a test, a UUID')
  test_case_id: string;

  @ApiProperty({
    description: 'The ticket: its key in the tracker, or its whole address.',
    maxLength: MAX_TICKET,
    example: 'KAN-123',
  })
  @Check(
    'isTicket',
    isTicket,
    `must be the key of a ticket, such as KAN-123, or an address that begins with http:// or https://, of at most ${MAX_TICKET} characters`,
  )
  external_ticket_id: string;
}
