import ts from 'typescript';
import { type Mutant, type Replacement, toMutant } from './mutant';
import type { Area } from './areas';
import type { Sources } from './project/sources';
import { droppedSteps } from './rules/drop-step';
import { negatedGuards } from './rules/negate-guard';
import { shiftedBounds } from './rules/shift-bound';

type MutationRule = (node: ts.Node) => readonly Replacement[];

const LIST_OF_STEPS = 'src/engine/decide.ts';

/** Every mutant that differs from the program in one step, one guard or one bound, in the order of the files. */
export function makeMutants(sources: Sources, { files }: Pick<Area, 'files'>): readonly Mutant[] {
  const inArea = [...sources.keys()].filter((file) => files.test(file) && !file.endsWith('.spec.ts')).sort();
  if (inArea.length === 0) throw new Error(`no file fits ${files.source}`);
  return inArea.flatMap((file) => {
    if (file !== LIST_OF_STEPS) return mutantsOf(file, sources.get(file) ?? '', [negatedGuards, shiftedBounds]);
    const ofSteps = mutantsOf(file, sources.get(file) ?? '', [droppedSteps]);
    if (ofSteps.length === 0) throw new Error(`${LIST_OF_STEPS} has no list of steps`);
    return ofSteps;
  });
}

/** All mutants of a file, each of them a different program. */
export function mutantsOf(file: string, text: string, rules: readonly MutationRule[]): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const programs = new Map<string, Mutant>();
  const visit = (node: ts.Node): void => {
    if (saysNothing(node)) return;
    for (const replacement of rules.flatMap((rule) => rule(node))) {
      const mutant = toMutant(source, nameOfPlace(node), replacement);
      programs.set(mutant.text, mutant);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...programs.values()];
}

/** Whether the node needs no mutants. Types do not exist at run time, and the text of a message decides nothing. */
function saysNothing(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTemplateExpression(node)) return true;
  return ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
}

function nameOfPlace(node: ts.Node): string {
  const names: string[] = [];
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    const name = nameOf(at);
    if (name !== null) names.unshift(name);
  }
  return names.length === 0 ? 'the file' : names.join('.');
}

/**
 * The name that a node gives to the code in it; null if the node gives no name. Functions, classes, and constants at
 * the top of a file give a name.
 */
function nameOf(node: ts.Node): string | null {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isClassDeclaration(node))
    return node.name?.getText() ?? null;
  if (!ts.isVariableDeclaration(node)) return null;
  const isFunction = node.initializer !== undefined && ts.isFunctionLike(node.initializer);
  const isAtTheTop = ts.isSourceFile(node.parent.parent.parent);
  return isFunction || isAtTheTop ? node.name.getText() : null;
}
