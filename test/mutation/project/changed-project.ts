import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { type CompiledModule, compileModule, type Scope, SCOPE } from './compiled-module';
import { countTurns } from './limited-loops';
import { PROJECT, type Sources } from './sources';

export interface ChangedFile {
  readonly file: string;
  readonly text: string;
}

export interface Loaded {
  readonly exports: unknown;
  /** The loaded file and all files of the project that it imports. */
  readonly files: ReadonlySet<string>;
}

/** Compiles every file of the project only once, even if many mutants load the file. */
export class Compiler {
  private readonly compiled = new Map<string, CompiledModule>();

  constructor(readonly sources: Sources) {}

  compile(file: string): CompiledModule {
    const known = this.compiled.get(file);
    if (known) return known;
    const compiled = compileModule(file, this.sources.get(file) ?? '');
    this.compiled.set(file, compiled);
    return compiled;
  }
}

/** The project with one changed file. */
export class ChangedProject {
  private readonly changedModule: CompiledModule | null;

  constructor(
    private readonly compiler: Compiler,
    readonly changed: ChangedFile | null,
  ) {
    this.changedModule = changed && compileModule(changed.file, changed.text);
  }

  /** Loads a new instance of the file and of all project files that it imports. Packages are shared. */
  load(file: string, scope: Scope = {}): Loaded {
    const instances = new Map<string, { exports: unknown }>();
    const words = SCOPE.map((word) => scope[word]);
    const instanceOf = (path: string): unknown => {
      const present = instances.get(path);
      if (present) return present.exports;
      const module = { exports: {} as unknown };
      instances.set(path, module);
      const fromPackages = createRequire(join(PROJECT, path));
      const require = (request: string): unknown => {
        const imported = this.resolve(path, request);
        return imported === null ? fromPackages(request) : instanceOf(imported);
      };
      this.moduleOf(path)(module, module.exports, require, countTurns, ...words);
      return module.exports;
    };
    return { exports: instanceOf(file), files: new Set(instances.keys()) };
  }

  private moduleOf(file: string): CompiledModule {
    return this.changedModule && this.changed?.file === file ? this.changedModule : this.compiler.compile(file);
  }

  private resolve(from: string, request: string): string | null {
    if (!request.startsWith('.')) return null;
    const path = posix.join(dirname(from), request);
    return [`${path}.ts`, `${path}/index.ts`, path].find((file) => this.compiler.sources.has(file)) ?? null;
  }
}
