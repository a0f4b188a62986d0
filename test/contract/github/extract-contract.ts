/**
 * Takes the operations in use out of GitHub's OpenAPI description, which is too big to depend on:
 *   npm pack @octokit/openapi@<version>, unpack it anywhere, then
 *   node -r ./test/bench/typescript.cjs test/contract/github/extract-contract.ts <folder>/generated/api.github.com.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ContractFile, Operation, Parameter, Schema } from './contract-file';
import { isObject, referencesIn, toJsonSchema } from './json-schema';
import { OPERATIONS_IN_USE } from './operations';

type Json = Record<string, unknown>;

const TARGET = join(__dirname, '..', '..', 'fixtures', 'github', 'contract.json');

export function extractContract(document: Json, source: string): ContractFile {
  const operations = OPERATIONS_IN_USE.map((id) => operationOf(document, id));
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

function schemasOf(document: Json, names: readonly string[]): Record<string, Schema> {
  const all = (document.components as { schemas: Record<string, unknown> }).schemas;
  const found = new Map<string, Schema>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    const schema = toJsonSchema(all[name]);
    found.set(name, schema);
    open.push(...referencesIn(schema));
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function resolve(document: Json, described: Json): Json {
  if (typeof described.$ref !== 'string') return described;
  const found = described.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), document);
  return resolve(document, found as Json);
}

function main([file]: readonly string[]): void {
  if (file === undefined) throw new Error('Which file? Name api.github.com.json of @octokit/openapi.');
  const { name, version } = JSON.parse(readFileSync(join(dirname(file), '..', 'package.json'), 'utf8')) as Json;
  const contract = extractContract(
    JSON.parse(readFileSync(file, 'utf8')) as Json,
    `${String(name)} ${String(version)}`,
  );
  // One line per operation and per schema, so that a newer description is a diff that can be read.
  const lines = (entries: readonly string[]): string => entries.map((entry) => `    ${entry}`).join(',\n');
  const operations = lines(contract.operations.map((one) => JSON.stringify(one)));
  const schemas = lines(
    Object.entries(contract.schemas).map(([key, one]) => `${JSON.stringify(key)}: ${JSON.stringify(one)}`),
  );
  const text = `{\n  "source": ${JSON.stringify(contract.source)},\n  "operations": [\n${operations}\n  ],\n  "schemas": {\n${schemas}\n  }\n}\n`;
  writeFileSync(TARGET, text);
  process.stdout.write(
    `${contract.operations.length} operations, ${Object.keys(contract.schemas).length} schemas, ${text.length} bytes\n`,
  );
}

if (require.main === module) main(process.argv.slice(2));
