import { readFileSync } from 'node:fs';
import { Service } from '../e2e/service';
import { CONTRACT } from './contract';
import { type Described, type Document, type Field, fieldsOf, resolved } from './document';

describe('/openapi.json', () => {
  let service: Service;
  let document: Document;

  beforeAll(async () => {
    service = await Service.inMemory();
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  });

  afterAll(() => service.stop());

  const operation = (path: string): Described => document.paths[path]![CONTRACT[path]!.method]!;
  const fields = (content: { schema: object } | undefined) => fieldsOf(document, content?.schema ?? {});
  const requestOf = (path: string) => fields(operation(path).requestBody?.content['application/json']);
  const responseOf = (path: string) => fields(operation(path).responses['200']?.content?.['application/json']);

  const withBodies = Object.entries(CONTRACT);

  it('has every path of the API contract in this folder', () => {
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(Object.keys(CONTRACT)));
  });

  it('has exactly the operations that docs/api.md names', () => {
    const page = readFileSync('docs/api.md', 'utf8');
    const [table = ''] = /^\| For [\s\S]*?\n\n/m.exec(page) ?? [];
    const named = [...table.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
    const paths = Object.keys(CONTRACT).map((path) => path.replace(/^.*\//, ''));
    expect(named.sort()).toEqual(paths.sort());
  });

  it.each(withBodies)('describes every request field of %s', (path, { request = {} }) => {
    expect(described(requestOf(path), Object.keys(request))).toEqual(request);
  });

  it.each(withBodies)('describes every response field of %s', (path, { response = {} }) => {
    expect(described(responseOf(path), Object.keys(response))).toEqual(response);
  });

  it('requires no request fields that the API contract does not require', () => {
    for (const [path, { request = {} }] of withBodies) {
      const required = [...requestOf(path)].filter(([, field]) => field.required).map(([name]) => `${name}!`);
      const ours = required.filter((name) => !/^(batchingRules|freezeWindows|statusReporters)\[\]/.test(name));
      expect({ path, required: ours.sort() }).toEqual({
        path,
        required: Object.keys(request)
          .filter((name) => name.endsWith('!'))
          .sort(),
      });
    }
  });

  it('describes every property of every schema, and every query parameter', () => {
    const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {}).map(([property, own]) => ({
        at: `${name}.${property}`,
        ...resolved(document, own),
      })),
    );
    const parameters = operations().flatMap(([, own]) =>
      own.parameters.map((parameter) => ({ at: `${own.operationId}(${parameter.name})`, ...parameter })),
    );
    const undescribed = [...schemas, ...parameters].filter(({ description }) => !description).map(({ at }) => at);
    expect(undescribed).toEqual([]);
    expect(schemas.length).toBeGreaterThan(100);
  });

  it('gives the purpose, the token and the errors of every operation', () => {
    for (const [path, own] of operations()) {
      expect({ path, summary: own.summary, security: own.security }).toEqual({
        path,
        summary: expect.any(String) as string,
        security: [{ 'x-api-token': [] }],
      });
      expect(Object.keys(own.responses)).toEqual(expect.arrayContaining(['200', '401', '403']));
    }
  });

  it('gives the permitted roles of every operation', () => {
    const roles = (path: string) => operation(path).description?.split('\n\n').at(-1);
    expect(roles('/v1/getQueue')).toBe('Every role may call it.');
    expect(roles('/v1/setImpactedTargets')).toBe('Roles that may call it: `ci`, `status`, `submit`, `admin`.');
    expect(roles('/v1/submitPullRequest')).toBe('Roles that may call it: `submit`, `admin`.');
    expect(roles('/v1/createQueue')).toBe('Roles that may call it: `admin`.');
    const undescribed = operations().filter(([, own]) => !/(role|Roles that) may call it/.test(own.description ?? ''));
    expect(undescribed).toEqual([]);
  });

  it('describes the query parameters of the metrics, and their content type', () => {
    const { parameters, responses } = operation('/v1/getMergeQueueMetrics');
    expect(parameters.map(({ name, required }) => ({ in: 'query', name, required }))).toEqual([
      { in: 'query', name: 'repo', required: false },
      { in: 'query', name: 'repoHost', required: false },
    ]);
    expect(Object.keys(responses['200']?.content ?? {})).toEqual(['text/plain; version=0.0.4; charset=utf-8']);
  });

  function operations(): [string, Described][] {
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((own): [string, Described] => [path, own]),
    );
  }
});

/** The fields with these names, if they exist, in the notation of the contract. */
function described(found: Map<string, Field>, names: readonly string[]): Record<string, string> {
  const wanted = names.map((name) => name.replace(/!$/, ''));
  return Object.fromEntries(
    [...found]
      .filter(([name]) => wanted.includes(name))
      .map(([name, { schema, required }]) => {
        const isRequired = required && names.includes(`${name}!`);
        return [isRequired ? `${name}!` : name, typeOf(schema)];
      }),
  );
}

function typeOf({ type, oneOf, enum: words, minimum, maximum }: Field['schema']): string {
  const name = type ?? oneOf?.map((one) => one.type).join('|') ?? '';
  // Enums are compared in the contract's order, because the order of their values has no meaning.
  if (words) return `${name} ${inContractOrder(words.filter((word) => word !== null))}`;
  return minimum !== undefined && maximum !== undefined ? `${name} ${minimum}..${maximum}` : name;
}

function inContractOrder(words: readonly string[]): string {
  const known = Object.values(CONTRACT).flatMap(({ request, response }) => Object.values({ ...request, ...response }));
  const same = known.map((type) => type.split(' ')[1] ?? '').find((list) => sorted(list.split('|')) === sorted(words));
  return same ?? words.join('|');
}

function sorted(words: readonly string[]): string {
  return words.toSorted().join('|');
}
