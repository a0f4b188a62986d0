import { ApiProperty } from '@nestjs/swagger';
import type { Response } from 'express';
import type { DomainError } from './domain-error';
import { ERROR_CODES } from './error-codes';

/** The maximum number of details in one answer. */
export const MOST_DETAILS = 100;

class ErrorDetailBody {
  @ApiProperty({ description: 'The path of the field in the request.', example: 'pr.number' })
  field: string;

  @ApiProperty({ description: 'The problem with this field.', example: 'number must be a whole number' })
  message: string;
}

class ErrorDescription {
  @ApiProperty({
    description: 'The error code, for programs. Operations that an extension adds may have codes of their own.',
    type: 'string',
    anyOf: [{ enum: Object.keys(ERROR_CODES) }, { pattern: '^[A-Z][A-Z0-9_]*$' }],
    example: 'MERGE_QUEUE_NOT_FOUND',
  })
  code: string;

  @ApiProperty({ description: 'The error message, for people.', example: ERROR_CODES.MERGE_QUEUE_NOT_FOUND.example })
  message: string;

  @ApiProperty({
    description: `The fields that are wrong, at most ${MOST_DETAILS}.`,
    type: [ErrorDetailBody],
    required: false,
  })
  details?: readonly ErrorDetailBody[];

  @ApiProperty({
    description: 'The x-request-id of the request; the log names the request by it.',
    example: '0b6c2f0e-6f0e-4d1c-9f0a-3d0c1a2b3c4d',
  })
  requestId: string;
}

/** The body of every answer that is not 200. */
export class ErrorBody {
  @ApiProperty({ description: 'The error.', type: ErrorDescription })
  error: ErrorDescription;
}

export function sendError(response: Response, error: DomainError, requestId: string): void {
  const { code, message, retryAfterSeconds } = error;
  const details = error.details.slice(0, MOST_DETAILS);
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
  const body: ErrorBody = { error: { code, message, ...(details.length > 0 && { details }), requestId } };
  // If the handler was about to send a file, the headers for the type and length of the file are already set.
  response.removeHeader('Content-Length');
  response.status(error.status).type('json').json(body);
}
