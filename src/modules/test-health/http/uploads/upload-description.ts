import { applyDecorators } from '@nestjs/common';
import { ApiQuery, getSchemaPath } from '@nestjs/swagger';
import { PULL_REQUEST_NUMBER } from '../../../shared/pull-request-reference.dto';
import { MAX_EXIT_CODE, ResultsMetadata } from './dto/upload-metadata.dto';

const REPORT = { schema: { type: 'string', format: 'binary' } };

/**
 * The bodies of an upload in /openapi.json. The service also accepts `application/json`, which is not listed because
 * generated clients would use it instead of the form.
 */
export const BODIES = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: ['metadata', 'files'],
      properties: {
        metadata: {
          allOf: [{ $ref: getSchemaPath(ResultsMetadata) }],
          description: 'As JSON; must be the first part.',
        },
        codeowners: { type: 'string', description: 'The text of a CODEOWNERS file.' },
        files: {
          type: 'array',
          items: { type: 'string', format: 'binary' },
          description: 'Test reports of any known format, each plain or gzip; their names do not matter.',
        },
      },
    },
    encoding: { metadata: { contentType: 'application/json' } },
  },
  'application/xml': REPORT,
  'text/plain': REPORT,
  'application/gzip': REPORT,
  'application/octet-stream': REPORT,
};

/** The fields of `metadata`, for a body that is one report. */
export function FieldsInQuery(): MethodDecorator {
  const field = (name: keyof ResultsMetadata, description: string, example: string): MethodDecorator =>
    ApiQuery({ name, required: false, description: `${description} Only with a single report as the body.`, example });
  return applyDecorators(
    field('repo', 'The repository, as host/owner/name.', 'local/demo/widgets'),
    field('org_url_slug', "Slug of the caller's organization.", 'demo'),
    field('commit', 'The tested commit: 40 hexadecimal digits.', '0123456789abcdef0123456789abcdef01234567'),
    field('branch', 'The tested branch.', 'main'),
    ApiQuery({
      name: 'pr_number' satisfies keyof ResultsMetadata,
      required: false,
      description: 'Number of the pull request. Only with a single report as the body.',
      schema: { type: 'integer', minimum: PULL_REQUEST_NUMBER.minimum, maximum: PULL_REQUEST_NUMBER.maximum },
      example: PULL_REQUEST_NUMBER.example,
    }),
    field('variant', 'Distinguishes runs of the same tests.', 'linux'),
    field('job_url', 'Address of the CI job.', 'https://ci.example/jobs/7'),
    field('job', 'Name of the CI job, the same in each of its runs.', 'CI / test (Linux X64)'),
    field('shard', 'The share of the tests of the job in this upload.', '2/4'),
    field('part', 'Distinguishes uploads of one job with different tests.', 'reports/unit/*.xml'),
    field('attempt', 'The attempt of the job, the same for all uploads of one attempt.', '8412345678/2'),
    field('conditions', 'Properties of the machine that may change results.', 'node 22.13, python 3.12'),
    ApiQuery({
      name: 'test_exit_code' satisfies keyof ResultsMetadata,
      required: false,
      description: 'How the test command ended. Only with a single report as the body.',
      schema: { type: 'integer', minimum: 0, maximum: MAX_EXIT_CODE },
      example: 1,
    }),
    field(
      'workspace',
      'Absolute path of the checkout, to be removed from files, names and messages.',
      '/srv/ci/build-7/widgets',
    ),
    field('ignores_quarantined', 'Whether the job ignores failures of quarantined tests.', 'true'),
    field('upload_id', 'An upload with a known id changes nothing.', 'job-7-attempt-1'),
  );
}
