import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  getSchemaPath,
} from '@nestjs/swagger';
import { RequireRole } from '../auth/access.decorators';
import type { Role } from '../auth/caller';
import { ErrorBody } from '../errors/error-body';
import { type CustomErrorCode, describeCode, type ErrorCode } from '../errors/error-codes';

export const TOKEN_SCHEME = 'x-api-token';

export interface EndpointOptions {
  readonly summary: string;
  readonly description?: string;
  /** The least role that may call it. */
  readonly role: Role;
  /** The DTO class of the JSON body. */
  readonly request?: Type<object>;
  /** By name; each must work against the demo, or be answered with a documented refusal. */
  readonly requestExamples?: Readonly<Record<string, { summary?: string; value: object }>>;
  /** Absent: the handler documents its answer itself, because it is not JSON. */
  readonly response?: Type<object>;
  /** Beyond those that every endpoint can answer. An extension adds codes of its own with `defineErrorCode`. */
  readonly errors?: readonly (ErrorCode | CustomErrorCode)[];
}

const EVERYWHERE: readonly ErrorCode[] = [
  'AUTHENTICATION_REQUIRED',
  'INVALID_TOKEN',
  'INSUFFICIENT_PERMISSIONS',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
];
const WITH_BODY: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'MALFORMED_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];
const EXAMPLE_REQUEST_ID = '0b6c2f0e-6f0e-4d1c-9f0a-3d0c1a2b3c4d';

/** Everything that is the same on every endpoint: success is exactly 200, a role is named, every answer is described. */
export function Endpoint(options: EndpointOptions): MethodDecorator & ClassDecorator {
  const { summary, description, role, request, response, errors = [] } = options;
  const codes = new Set([...(request ? WITH_BODY : []), ...EVERYWHERE, ...errors]);
  return applyDecorators(
    HttpCode(200),
    RequireRole(role),
    ApiOperation({ summary, description: [description, `Needs the role \`${role}\`.`].filter(Boolean).join('\n\n') }),
    ApiSecurity(TOKEN_SCHEME),
    ApiExtraModels(ErrorBody),
    ...(request ? [ApiBody({ type: request, examples: { ...options.requestExamples } })] : []),
    ...(response ? [ApiOkResponse({ type: response, description: 'Done.' })] : []),
    ...describeErrors([...codes].map(describeCode)),
  );
}

/** One response for each status; its examples are the codes. */
function describeErrors(codes: readonly CustomErrorCode[]): MethodDecorator[] {
  const statuses = [...new Set(codes.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const own = codes.filter((code) => code.status === status);
    const examples = Object.fromEntries(own.map((code) => [code.code, { value: exampleOf(code) }]));
    const description = own.map(({ code }) => code).join(', ');
    const schema = { $ref: getSchemaPath(ErrorBody) };
    return ApiResponse({ status, description, content: { 'application/json': { schema, examples } } });
  });
}

function exampleOf({ code, example }: CustomErrorCode): ErrorBody {
  return { error: { code, message: example, requestId: EXAMPLE_REQUEST_ID } };
}
