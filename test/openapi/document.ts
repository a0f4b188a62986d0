/** The parts of an OpenAPI document that the tests read. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  /** The allowed values. Null is among them if it is allowed. */
  readonly enum?: readonly (string | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

export interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters: readonly {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Schema;
    example?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The schema to which a reference leads. A description next to the reference belongs to the field, and is kept. */
export function resolved(document: Document, schema: Schema): Schema {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference === undefined) return schema;
  const found = document.components.schemas[reference.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`The document has no ${reference}`);
  return { ...found, ...(schema.description !== undefined && { description: schema.description }) };
}

export interface Field {
  readonly schema: Schema;
  readonly required: boolean;
}

/** Every field of a schema by its path, such as `repo.host` or `tests[].name`. */
export function fieldsOf(document: Document, schema: Schema, prefix = ''): Map<string, Field> {
  const fields = new Map<string, Field>();
  const { properties = {}, required = [] } = resolved(document, schema);
  for (const [name, property] of Object.entries(properties)) {
    const own = resolved(document, property);
    const path = `${prefix}${name}`;
    fields.set(path, { schema: own, required: required.includes(name) });
    const inner = own.type === 'array' && own.items ? own.items : own;
    const innerPrefix = own.type === 'array' ? `${path}[].` : `${path}.`;
    for (const [innerPath, field] of fieldsOf(document, inner, innerPrefix)) fields.set(innerPath, field);
  }
  return fields;
}
