import type { MadeThing, RunFile } from './run-file';
import { type FoundThing, StepRefused, type TestedServer } from './servers/tested-server';
import { markerOf } from './world/troupe';

/** Something that is still on the server, and the reason. */
export interface KeptThing {
  readonly kind: MadeThing['kind'];
  readonly name: string;
  readonly why: string;
}

/** The order of removal: repositories before their owners. */
const ORDER = ['repository', 'user', 'organization'] as const;

/**
 * Removes the things in the run file and nothing else. The number and the name must match, and the description must
 * contain the marker of the run. If the run ended before it knew the number of a thing, the exact name and the marker
 * decide. Returns everything that is still on the server. A call may be repeated.
 */
export async function removeMade(
  server: TestedServer,
  runFile: RunFile,
  things: readonly MadeThing[],
): Promise<readonly KeptThing[]> {
  const kept: KeptThing[] = [];
  for (const kind of ORDER) {
    for (const thing of things.filter((one) => one.kind === kind).toReversed()) {
      const why = await whyKept(server, runFile, thing);
      if (why === null) runFile.isGone(thing.kind, thing.name);
      else kept.push({ kind, name: thing.name, why });
    }
  }
  return kept;
}

/** The reason why the thing is still on the server; null: the thing is gone. */
async function whyKept(server: TestedServer, { facts }: RunFile, thing: MadeThing): Promise<string | null> {
  try {
    for (const name of [thing.name, ...thing.otherNames]) {
      const found = await server.find(thing.kind, name);
      const objection = found === null ? null : objectionTo(thing, name, found, markerOf(facts.run));
      if (objection !== null) return objection;
      if (found !== null) await server.remove(thing.kind, found);
    }
    return null;
  } catch (error) {
    if (error instanceof StepRefused) return error.message;
    throw error;
  }
}

/** The reason why `found` is not the thing that the run created; null: it is that thing. */
function objectionTo(thing: MadeThing, name: string, found: FoundThing, marker: string): string | null {
  if (found.name.toLowerCase() !== name.toLowerCase()) return `its name is now ${found.name}`;
  if (thing.number !== null && found.number !== thing.number) {
    return `another one has that name now: its number is ${found.number}, and the run made ${thing.number}`;
  }
  return found.description.includes(marker) ? null : 'its description does not have the marker of the run any more';
}
