import type { ContractFile, Operation } from './contract-file';

export interface FoundOperation {
  readonly operation: Operation;
  readonly pathParameters: ReadonlyMap<string, string>;
}

/** Parameters that may contain unencoded slashes. */
const WITH_SLASHES = new Set(['ref', 'path', 'filepath', 'basehead', 'branch']);

/** Finds the described operation for a method and a path; null when no operation matches. */
export function operationFinder(contract: ContractFile): (method: string, path: string) => FoundOperation | null {
  const routes = contract.operations
    .map((operation) => ({ operation, ...patternOf(operation.path) }))
    .sort((a, b) => b.literals - a.literals);
  return (method, path) => {
    for (const { operation, pattern, names } of routes) {
      const match = operation.method === method ? pattern.exec(path) : null;
      if (match === null) continue;
      const pathParameters = new Map(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]));
      return { operation, pathParameters };
    }
    return null;
  };
}

function patternOf(template: string): { pattern: RegExp; names: string[]; literals: number } {
  const names: string[] = [];
  const source = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    names.push(name);
    return WITH_SLASHES.has(name) ? '(.+?)' : '([^/]+)';
  });
  const literals = template.split('/').filter((part) => !part.startsWith('{')).length;
  return { pattern: new RegExp(`^${source}$`), names, literals };
}
