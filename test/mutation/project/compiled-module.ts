import { compileFunction } from 'node:vm';
import { transformSync } from '@swc/core';
import { COUNT_TURNS, withLimitedLoops } from './limited-loops';

/** Words that a file may use without importing them, as specs do. */
export const SCOPE = ['describe', 'it', 'test', 'expect', 'beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const;
export type Scope = Partial<Record<(typeof SCOPE)[number], unknown>>;

/** The body of a module; every call is a new instance of it. */
export type CompiledModule = (
  module: { exports: unknown },
  exports: unknown,
  require: (request: string) => unknown,
  countTurns: (atMost: number) => () => void,
  ...scope: readonly unknown[]
) => void;

/** Types are dropped, not checked: what does not fit a type is judged by what it does. */
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
