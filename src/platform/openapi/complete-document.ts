import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Described = Extract<Operation['responses'][string], { description: string }>;

const REQUEST_ID = {
  description: 'The id of the request if it has 1 to 128 letters, digits, ".", "_" and "-"; otherwise a new id.',
  schema: { type: 'string' },
};

const RETRY_AFTER = {
  description: 'Number of seconds after which to try again.',
  schema: { type: 'integer' },
};

const TAGS: Readonly<Record<string, string>> = {
  'Pull requests': 'Submit pull requests, and read their states and test runs.',
  Queues: 'Create, read, change and delete queues.',
  Statuses: 'Report statuses of commits, and read the logs of the built-in check runner.',
  Metrics: 'Metrics for Prometheus.',
  'Test health': 'Upload test results; read, quarantine and mute tests.',
};

const WITH_RETRY_AFTER = ['429', '503'];

/** Adds rules that hold for every operation, including extensions', and facts that decorators cannot express. */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods) as Operation[]) {
      for (const [status, response] of Object.entries(operation.responses)) {
        (response as Described).headers = {
          'x-request-id': REQUEST_ID,
          ...(WITH_RETRY_AFTER.includes(status) && { 'Retry-After': RETRY_AFTER }),
        };
      }
    }
  }
  document.tags = [...tagsIn(document)].map((name) => ({ name, description: TAGS[name] ?? 'Added by an extension.' }));
  allowNullInEnums(document);
  return document;
}

function tagsIn({ paths }: OpenAPIObject): Set<string> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Operation[]);
  return new Set(operations.flatMap(({ tags = [] }) => tags));
}

/** In OpenAPI 3.0 `nullable` alone does not add null to an enum. */
function allowNullInEnums(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as { readonly nullable?: boolean; enum?: readonly unknown[] };
  const { nullable, enum: words } = schema;
  // The list is copied, because it may belong to a validation rule.
  if (nullable === true && words?.includes(null) === false) schema.enum = [...words, null];
  for (const inner of Object.values(value)) allowNullInEnums(inner);
}
