import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Check } from './check';

const MAX_NUMBER = 2_147_483_647;
const DIGITS = /^\d{1,10}$/;

/** Accepts an integer, or a string of digits because existing CI scripts send strings. The handler gets an integer. */
export function PullRequestNumber(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
    ),
    Check(
      'isPullRequestNumber',
      (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_NUMBER,
      `must be an integer from 1 to ${MAX_NUMBER}`,
    ),
  );
}

/** The OpenAPI description of a pull request's number. */
export const PULL_REQUEST_NUMBER = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_NUMBER,
  example: 1,
  description: 'Number of the pull request; a string of digits is accepted too.',
} as const;

/** The field `pr` of requests. */
export class PullRequestReference {
  @ApiProperty(PULL_REQUEST_NUMBER)
  @PullRequestNumber()
  number: number;
}
