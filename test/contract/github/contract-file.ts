/**
 * A file that `extract-contract` writes and the checker reads. The schemas in this file are plain JSON Schema, without
 * anything from OpenAPI.
 */
export interface ContractFile {
  /** Package and version of GitHub's description. */
  readonly source: string;
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The body of a request; null if the operation takes no body. */
  readonly request: { readonly required: boolean; readonly schema: Schema } | null;
  /** The schema of the answer by status; null if the answer is described without a JSON body. */
  readonly responses: Readonly<Record<string, Schema | null>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

export type Schema = Readonly<Record<string, unknown>>;
