import type { Schema } from './contract-file';

const PROSE = new Set([
  'description',
  'title',
  'example',
  'examples',
  'default',
  'deprecated',
  'discriminator',
  'externalDocs',
  'readOnly',
  'writeOnly',
  'xml',
]);

/** A schema of OpenAPI 3.0 as JSON Schema: `nullable` becomes the type null, and prose is left out. */
export function toJsonSchema(schema: unknown): Schema {
  if (!isObject(schema)) return {};
  const { nullable, ...rest } = schema;
  const made: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (PROSE.has(key) || key.startsWith('x-')) continue;
    made[key] = key === 'properties' ? mapValues(value, toJsonSchema) : convert(key, value);
  }
  return nullable === true ? orNull(made) : made;
}

function convert(key: string, value: unknown): unknown {
  if (key === 'enum' || key === 'required') return value;
  if (Array.isArray(value)) return value.map((one: unknown) => (isObject(one) ? toJsonSchema(one) : one));
  return isObject(value) ? toJsonSchema(value) : value;
}

function orNull(schema: Record<string, unknown>): Schema {
  const isComposed = ['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in schema);
  if (isComposed) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    ...(Array.isArray(schema.enum) && !schema.enum.includes(null)
      ? { enum: [...(schema.enum as unknown[]), null] }
      : {}),
    ...(typeof schema.type === 'string' ? { type: [schema.type, 'null'] } : {}),
  };
}

/** Names of the schemas to which the value refers at any depth. */
export function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.slice(inner.lastIndexOf('/') + 1)] : referencesIn(inner),
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapValues(value: unknown, change: (one: unknown) => unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)])) : value;
}
