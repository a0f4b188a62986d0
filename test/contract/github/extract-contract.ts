/**
 * Takes the operations in use out of GitHub's OpenAPI description, which is too big to depend on:
 *   npm pack @octokit/openapi@<version>, unpack it anywhere, then
 *   node -r ./test/bench/typescript.cjs test/contract/github/extract-contract.ts <folder>/generated/api.github.com.json
 */
import type { ContractFile, Operation, Parameter, Schema } from './contract-file';
import { readDescription, resolve, schemasOf, writeFixture, type Json } from './extraction';
import { isObject, referencesIn, toJsonSchema } from './json-schema';
import { OPERATIONS_EXTRACTED } from './operations';

export function extractContract(document: Json, source: string): ContractFile {
  const operations = OPERATIONS_EXTRACTED.map((id) => operationOf(document, id));
  return { source, operations, schemas: schemasOf(document, [...referencesIn(operations), 'basic-error']) };
}

function operationOf(document: Json, id: string): Operation {
  for (const [path, item] of Object.entries(document.paths as Record<string, Json>)) {
    for (const [method, described] of Object.entries(item)) {
      if (!isObject(described) || described.operationId !== id) continue;
      return {
        id,
        method: method.toUpperCase(),
        path,
        parameters: ((described.parameters ?? []) as Json[]).map((one) => parameterOf(resolve(document, one))),
        request: requestOf(document, described.requestBody),
        responses: Object.fromEntries(
          Object.entries(described.responses as Record<string, Json>).map(([status, response]) => [
            status,
            jsonSchemaOf(resolve(document, response)),
          ]),
        ),
      };
    }
  }
  throw new Error(`GitHub's description has no operation ${id}`);
}

function parameterOf(described: Json): Parameter {
  const { name, in: where, required, schema } = described;
  return {
    name: String(name),
    in: where as Parameter['in'],
    required: required === true,
    schema: toJsonSchema(schema),
  };
}

function requestOf(document: Json, body: unknown): Operation['request'] {
  if (!isObject(body)) return null;
  const described = resolve(document, body);
  return { required: described.required === true, schema: jsonSchemaOf(described) ?? {} };
}

function jsonSchemaOf(described: Json): Schema | null {
  const content = described.content as Record<string, Json> | undefined;
  const json = content?.['application/json'];
  return json === undefined ? null : toJsonSchema(json.schema);
}

function main([file]: readonly string[]): void {
  const { document, source } = readDescription(file);
  process.stdout.write(writeFixture('contract.json', extractContract(document, source)));
}

if (require.main === module) main(process.argv.slice(2));
