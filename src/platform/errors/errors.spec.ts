import { BadRequestException, NotFoundException } from '@nestjs/common';
import { classifyError } from './classify-error';
import { DomainError } from './domain-error';
import { ERROR_CODES } from './error-codes';

describe('an error', () => {
  it('has the documented status for its code', () => {
    const codesOf = (wanted: number) =>
      Object.entries(ERROR_CODES)
        .filter(([, { status }]) => status === wanted)
        .map(([code]) => code)
        .join(' ');
    expect(codesOf(400)).toBe('VALIDATION_FAILED MALFORMED_JSON');
    expect(codesOf(401)).toBe('AUTHENTICATION_REQUIRED INVALID_TOKEN');
    expect(codesOf(403)).toBe('INSUFFICIENT_PERMISSIONS ORGANIZATION_MISMATCH');
    expect(codesOf(404)).toBe(
      'MERGE_QUEUE_NOT_FOUND PR_NOT_FOUND REPOSITORY_NOT_FOUND BRANCH_NOT_FOUND TEST_RUN_NOT_FOUND ATTESTATION_NOT_FOUND NO_HISTORY NOT_FOUND',
    );
    expect(codesOf(409)).toBe(
      'QUEUE_ALREADY_EXISTS QUEUE_HAS_ACTIVE_ENTRIES PR_NOT_IN_ACTIVE_STATE PR_NOT_ENQUEUEABLE PR_TESTS_NOT_RESTARTABLE MODE_CHANGE_IN_PROGRESS STATUSES_COME_FROM_HOST',
    );
    expect([408, 413, 415, 429].map(codesOf)).toEqual([
      'REQUEST_TIMEOUT',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'RATE_LIMIT_EXCEEDED',
    ]);
    expect([500, 502, 503].map(codesOf)).toEqual(['INTERNAL_ERROR', 'UPSTREAM_ERROR', 'UNAVAILABLE']);
  });

  it('that is meant for the caller stays unchanged', () => {
    const error = new DomainError('PR_NOT_FOUND', 'No such pull request.');
    expect(classifyError(error)).toBe(error);
  });

  it.each([
    [new NotFoundException('Cannot GET /v1/x'), 'NOT_FOUND'],
    [new BadRequestException('Failed to decode param'), 'VALIDATION_FAILED'],
    [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'UNAVAILABLE'],
    [Object.assign(new Error('pool'), { code: 'P2024' }), 'UNAVAILABLE'],
    [new Error('secret'), 'INTERNAL_ERROR'],
    ['a string', 'INTERNAL_ERROR'],
    [undefined, 'INTERNAL_ERROR'],
  ])('has the code of its cause: %s becomes %s', (error, code) => expect(classifyError(error).code).toBe(code));

  it('that is caused by a bug does not show its message to the caller; one that is caused by a database outage names a time for a retry', () => {
    expect(classifyError(new Error('hunter2')).message).not.toContain('hunter2');
    expect(classifyError({ code: 'P1001' }).retryAfterSeconds).toBe(5);
  });
});
