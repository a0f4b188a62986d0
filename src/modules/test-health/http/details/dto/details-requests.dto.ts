import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../../../../shared/check';
import { Nested } from '../../../../shared/nested';
import { RepositoryReference } from '../../../../shared/repository-reference.dto';
import { TEST_CASE_ID } from '../../../../shared/named-test.dto';
import { isTestId } from '../../dto/test-reference.dto';
import { OfRepository } from '../../dto/of-repository.dto';

export const MAX_TICKET = 2_000;

export class GetTestDetailsRequest extends OfRepository('The repository of the test.') {
  @ApiProperty({ description: 'Id of the test, from one of the lists.', ...TEST_CASE_ID })
  @Check('isTestId', isTestId, 'must be the id of a test, a UUID')
  test_id: string;
}

export class LinkTicketRequest {
  @Nested(() => RepositoryReference, 'The repository of the test.')
  repo: RepositoryReference;

  @ApiProperty({ description: 'Id of the test, from one of the lists.', ...TEST_CASE_ID })
  @Check('isTestId', isTestId, 'must be the id of a test, a UUID')
  test_case_id: string;

  @ApiProperty({
    description: 'Key or whole address of the ticket.',
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

/** A key contains no colon, because a browser must not take it for a URL such as `javascript:…`. */
const KEY = /^[^\s:<>"'`\\\p{C}]+$/u;
const ADDRESS = /^https?:\/\/[^\s<>"'`\\\p{C}]+$/iu;

/** Whether a text is the key or the URL of a ticket. */
export function isTicket(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_TICKET) return false;
  return KEY.test(value) || (ADDRESS.test(value) && URL.canParse(value));
}
