import { compileFunction } from 'node:vm';
import { transformSync } from '@swc/core';
import { COUNT_TURNS, withLimitedLoops } from './limited-loops';

/** Global names that a file may use without an import. Specs use these names. */
export const SCOPE = ['describe', 'it', 'test', 'expect', 'beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const;
export type Scope = Partial<Record<(typeof SCOPE)[number], unknown>>;

/** The body of a module. Each call makes a new instance of the module. */
export type CompiledModule = (
  module: { exports: unknown },
  exports: unknown,
  require: (request: string) => unknown,
  countTurns: (atMost: number) => () => void,
  ...scope: readonly unknown[]
) => void;

/** Types are removed without being checked, so a mutant with a type error is judged by its behaviour. */
export function compileModule(file: string, text: string): CompiledModule {
  const { code } = transformSync(withLimitedLoops(file, text), {
    filename: file,
    swcrc: false,
    sourceMaps: false,
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', keepClassNames: true, parser: { syntax: 'typescript' } },
  });
  return compileFunction(code, ['module', 'exports', 'require', COUNT_TURNS, ...SCOPE], {
    filename: file,
  }) as CompiledModule;
}
