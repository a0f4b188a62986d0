import { expect } from 'expect';
import type { Scope } from '../project/compiled-module';
import { sentenceOf } from './killer';

type Work = () => unknown;

interface Suite {
  readonly name: string;
  readonly parent: Suite | null;
  readonly before: { all: Work[]; each: Work[] };
  readonly after: { all: Work[]; each: Work[] };
  readonly parts: (Suite | Example)[];
}

interface Example {
  readonly name: string;
  readonly work: Work;
}

/**
 * Runs the project's specs in this process, without starting jest. The class has only those jest functions that the
 * specs use. If a function is missing, a spec fails on the unchanged engine, which is judged first.
 */
export class SpecInProcess {
  private readonly root = suiteNamed('', null);
  private present = this.root;

  readonly words: Scope = {
    expect,
    describe: withEach((name, describeParts) => this.describe(name, describeParts)),
    it: withEach((name, work) => this.present.parts.push({ name, work })),
    test: withEach((name, work) => this.present.parts.push({ name, work })),
    beforeAll: (work: Work) => this.present.before.all.push(work),
    beforeEach: (work: Work) => this.present.before.each.push(work),
    afterEach: (work: Work) => this.present.after.each.push(work),
    afterAll: (work: Work) => this.present.after.all.push(work),
  };

  /** The first failing example and its reason; null when all examples pass. */
  run(): Promise<string | null> {
    return firstProblem(this.root);
  }

  private describe(name: string, describeParts: Work): void {
    const suite = suiteNamed(name, this.present);
    this.present.parts.push(suite);
    this.present = suite;
    describeParts();
    this.present = suite.parent ?? this.root;
  }
}

function suiteNamed(name: string, parent: Suite | null): Suite {
  return { name, parent, before: { all: [], each: [] }, after: { all: [], each: [] }, parts: [] };
}

function withEach(declare: (name: string, work: Work) => void): unknown {
  return Object.assign((name: string, work: Work) => declare(name, work), {
    each: (rows: readonly unknown[]) => (name: string, work: (...row: readonly unknown[]) => unknown) => {
      for (const row of rows) declare(name, () => work(...(Array.isArray(row) ? (row as unknown[]) : [row])));
    },
  });
}

async function firstProblem(suite: Suite): Promise<string | null> {
  for (const work of suite.before.all) await work();
  try {
    for (const part of suite.parts) {
      const problem = 'work' in part ? await problemOfExample(suite, part) : await firstProblem(part);
      if (problem !== null) return problem;
    }
    return null;
  } finally {
    for (const work of suite.after.all) await work();
  }
}

async function problemOfExample(suite: Suite, example: Example): Promise<string | null> {
  const around = [...outermostFirst(suite)];
  try {
    for (const { before } of around) for (const work of before.each) await work();
    await example.work();
    for (const { after } of around.reverse()) for (const work of after.each) await work();
    return null;
  } catch (error) {
    return `${example.name}: ${sentenceOf(error)}`;
  }
}

function outermostFirst(suite: Suite): readonly Suite[] {
  return suite.parent === null ? [suite] : [...outermostFirst(suite.parent), suite];
}
