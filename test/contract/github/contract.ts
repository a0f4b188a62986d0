import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Exchange } from '../../support/forge/exchange';
import type { ContractFile, Operation, Parameter, Schema } from './contract-file';
import { operationFinder } from './find-operation';

export interface ExchangeVerdict {
  /** GitHub's name for the operation; null when the contract does not have the operation. */
  readonly operation: string | null;
  readonly requestErrors: readonly string[];
  readonly responseErrors: readonly string[];
}

const FIXTURES = join(__dirname, '..', '..', 'fixtures', 'github');
const FILE = join(FIXTURES, 'contract.json');
/** GitHub operations that are newer than the extracted description. */
const NEWER = join(FIXTURES, 'newer-operations.json');
/** The description has only the names of these operations, so any request and any answer is accepted. */
const EXISTS_ONLY = new Map([['POST /graphql', 'graphql']]);
const FORMATS_WITHOUT_A_TEST = ['repo.nwo', 'timestamp', 'ssh-url'];
/**
 * Statuses with which any operation may answer in the form of an error, although most descriptions leave these answers
 * out.
 */
const ERRORS_OF_EVERY_OPERATION = new Set([401, 403, 404, 422, 429, 500, 502, 503, 504]);
const ERROR: Schema = { $ref: '#/components/schemas/basic-error', required: ['message'] };
/**
 * The result of a background merge has the same form whether GitHub accepts or refuses the merge: the reasons are in
 * `details`.
 */
const RESULT_OF_MERGE = '#/components/schemas/pull-request-merge-async-result';

/**
 * Checks exchanges against GitHub's own description. Requests and answers are checked strictly. A request may only have
 * fields that are described.
 */
export class GitHubContract {
  private readonly ajv = new Ajv({ strict: false, allErrors: true, logger: false, unicodeRegExp: false });
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly find: ReturnType<typeof operationFinder>;

  constructor(readonly file: ContractFile) {
    addFormats(this.ajv);
    for (const format of FORMATS_WITHOUT_A_TEST) this.ajv.addFormat(format, true);
    this.ajv.addSchema({ $id: 'github', components: { schemas: file.schemas } });
    this.find = operationFinder(file);
  }

  static load(file?: string): GitHubContract {
    if (file !== undefined) return new GitHubContract(readContract(file));
    const [known, newer] = [readContract(FILE), readContract(NEWER)];
    const operations = [...known.operations, ...newer.operations];
    return new GitHubContract({ ...known, operations, schemas: { ...known.schemas, ...newer.schemas } });
  }

  checkExchange(exchange: Exchange): ExchangeVerdict {
    const { method, path } = exchange;
    const existing = EXISTS_ONLY.get(`${method} ${path}`);
    if (existing !== undefined) return { operation: existing, requestErrors: [], responseErrors: [] };
    const found = this.find(method, path);
    if (found === null) {
      return { operation: null, requestErrors: [`no operation in use is ${method} ${path}`], responseErrors: [] };
    }
    const { operation, pathParameters } = found;
    return {
      operation: operation.id,
      requestErrors: [
        ...this.pathErrors(operation, pathParameters),
        ...this.queryErrors(operation, new URLSearchParams(exchange.query)),
        ...this.bodyErrors(operation, exchange.requestBody),
      ],
      responseErrors: this.responseErrors(operation, exchange),
    };
  }

  private pathErrors({ id, parameters }: Operation, values: ReadonlyMap<string, string>): string[] {
    return parameters
      .filter((one) => one.in === 'path')
      .flatMap((one) => this.parameterErrors(id, one, values.get(one.name) ?? ''));
  }

  private queryErrors({ id, parameters }: Operation, query: URLSearchParams): string[] {
    const known = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]));
    const missing = [...known.values()].filter((one) => one.required && !query.has(one.name));
    return [
      ...missing.map((one) => `query ${one.name} is missing`),
      ...[...query].flatMap(([name, value]) => {
        const parameter = known.get(name);
        return parameter === undefined ? [`query ${name} is unknown`] : this.parameterErrors(id, parameter, value);
      }),
    ];
  }

  private parameterErrors(id: string, parameter: Parameter, text: string): string[] {
    const where = `${parameter.in} ${parameter.name}`;
    const validate = this.validator(`${id} ${where}`, () => parameter.schema);
    return validate(typed(text, parameter.schema.type)) ? [] : errorsOf(validate).map((error) => `${where} ${error}`);
  }

  private bodyErrors({ id, request }: Operation, body: unknown): string[] {
    if (request === null) return body === undefined ? [] : ['the operation takes no body'];
    if (body === undefined) return request.required ? ['the body is missing'] : [];
    const validate = this.validator(`${id} request`, () => closed(request.schema));
    return validate(body) ? [] : errorsOf(validate).map((error) => `body ${error}`);
  }

  private responseErrors({ id, responses }: Operation, { status, responseBody, mediaType }: Exchange): string[] {
    const described = responses[String(status)];
    if (status === 204 || status === 304) return mediaType === null ? [] : [`status ${status} has a body`];
    if (described === undefined && !ERRORS_OF_EVERY_OPERATION.has(status)) {
      return [`status ${status} is not described (${Object.keys(responses).join(', ')})`];
    }
    // Servers in front of GitHub send errors that are not JSON.
    if (status >= 500 && responseBody === undefined) return [];
    // The file was requested in raw form, so the answer is not JSON.
    if (status === 200 && id === 'repos/get-content' && mediaType?.includes('json') === false) return [];
    const isError = status >= 400 && described?.$ref !== RESULT_OF_MERGE;
    const schemas = [described ?? (described === null && status < 400 ? {} : ERROR), ...(isError ? [ERROR] : [])];
    return schemas.flatMap((schema, index) => {
      const validate = this.validator(`${id} ${status} ${index}`, () => schema);
      return validate(responseBody) ? [] : errorsOf(validate).map((error) => `answer ${error}`);
    });
  }

  private validator(key: string, makeSchema: () => Schema): ValidateFunction {
    let validate = this.compiled.get(key);
    if (validate === undefined) {
      const text = JSON.stringify(makeSchema()).replaceAll('"#/components/', '"github#/components/');
      validate = this.ajv.compile(JSON.parse(text) as Schema);
      this.compiled.set(key, validate);
    }
    return validate;
  }
}

function readContract(file: string): ContractFile {
  return JSON.parse(readFileSync(file, 'utf8')) as ContractFile;
}

/** The schema without additional fields. GitHub's description allows additional fields, and so also misspelt fields. */
function closed(schema: Schema): Schema {
  const isOpen = schema.properties !== undefined && schema.additionalProperties === undefined;
  return isOpen ? { ...schema, additionalProperties: false } : schema;
}

function typed(text: string, type: unknown): unknown {
  if (type === 'integer' || type === 'number') return text.trim() === '' ? text : Number(text);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function errorsOf(validate: ValidateFunction): string[] {
  return (validate.errors ?? []).map(describe);
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const detail = (params as { additionalProperty?: string; allowedValues?: unknown[] }) ?? {};
  const extra = detail.additionalProperty ?? detail.allowedValues?.map((one) => JSON.stringify(one)).join(', ');
  return `${instancePath || '(root)'} ${message ?? 'is wrong'}${extra === undefined ? '' : `: ${extra}`}`;
}
