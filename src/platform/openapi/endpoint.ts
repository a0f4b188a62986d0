import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  getSchemaPath,
  type OpenAPIObject,
} from '@nestjs/swagger';
import { RequireCapability } from '../auth/access.decorators';
import { type Capability, ROLE_NAMES, rolesWith } from '../requests/roles';
import { TOKEN_HEADER } from '../auth/token';
import { ErrorBody } from '../errors/error-body';
import { type CustomErrorCode, describeCode, type ErrorCode } from '../errors/error-codes';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Content = Extract<NonNullable<Operation['requestBody']>, { content: unknown }>['content'];

export interface EndpointOptions {
  readonly summary: string;
  readonly description?: string;
  /** The caller's role must include this capability. /openapi.json lists the roles. */
  readonly capability: Capability;
  /** The DTO class of the JSON body. */
  readonly request?: Type<object>;
  /** The schema of a body that is not JSON, by content type. */
  readonly requestContent?: Content;
  /** Examples by name. Each example must succeed against the demo, or get a documented error. */
  readonly requestExamples?: Readonly<Record<string, { summary?: string; value: object }>>;
  /** The DTO class of the answer. Absent: the answer is not JSON, and the handler documents the answer. */
  readonly response?: Type<object>;
  /** Errors in addition to the common errors of every endpoint. Extensions make codes with `defineErrorCode`. */
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
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];
const EXAMPLE_REQUEST_ID = '0b6c2f0e-6f0e-4d1c-9f0a-3d0c1a2b3c4d';

/** The rules for every endpoint: success is exactly 200, a capability is required, and every answer is described. */
export function Endpoint(options: EndpointOptions): MethodDecorator & ClassDecorator {
  const { summary, description, capability, request, requestContent, response, errors = [] } = options;
  const codes = new Set([...(request ? WITH_BODY : []), ...EVERYWHERE, ...errors]);
  return applyDecorators(
    HttpCode(200),
    RequireCapability(capability),
    ApiOperation({
      summary,
      description: [description, callersOf(capability)].filter(Boolean).join('\n\n'),
      ...(requestContent && { requestBody: { required: true, content: requestContent } }),
    }),
    ApiSecurity(TOKEN_HEADER),
    ApiExtraModels(ErrorBody),
    ...(request ? [ApiBody({ type: request, examples: { ...options.requestExamples } })] : []),
    ...(response ? [ApiOkResponse({ type: response, description: 'Done.' })] : []),
    ...describeErrors([...codes].map(describeCode)),
  );
}

function callersOf(capability: Capability): string {
  const roles = rolesWith(capability);
  if (roles.length === ROLE_NAMES.length) return 'Every role may call it.';
  return `Roles that may call it: ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}

/** Documents one response for each status, with one example for each code. */
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
