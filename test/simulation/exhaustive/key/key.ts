import { isConcluded } from '../../../../src/engine/states';
import { Names, ranked } from './names';
import { queueIn } from './queue';
import { outcomesIn, tasksIn } from './tasks';
import { type ExhaustiveCase, type State } from '../state';

/**
 * Equal keys: both states have the same future, apart from ids. What may still go wrong is no part of it.
 * A field of the engine that no rule knows is part of it as it is.
 */
export function keyOf(facts: ExhaustiveCase, state: State): string {
  const names = new Names(facts, state);
  const all = {
    toCome: facts.entries - state.pulls.length,
    tip: names.tip(state.tip),
    queue: queueIn(names),
    tasks: tasksIn(names),
    outcomes: outcomesIn(names),
  };
  const text = names.withoutCommonTree(JSON.stringify(all));
  return ranked(text + JSON.stringify(named(state, text)));
}

/** What the host has of each pull request that something names, and how it left the queue. */
function named({ pulls, queue }: State, text: string): unknown {
  const numbers = new Set([...text.matchAll(/§X(\d+)/g)].map(([, digits]) => Number(digits)));
  return queue.entries
    .filter(({ number }) => numbers.has(number))
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, state, head }) => {
      const pull = pulls.find((other) => other.number === number)!;
      return [`§X${number}`, isConcluded(state) ? state : '', pull.state, pull.head === head ? '' : pull.head];
    });
}
