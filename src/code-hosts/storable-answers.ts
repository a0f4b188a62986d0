import { storable } from '../platform/database/storable';

/** Parts of a port that answer questions of their own. */
const PARTS: readonly (string | symbol)[] = ['conversation', 'people'];

/**
 * The same host, but everything that it answers can be stored. Titles, names and messages are written by anybody, so this
 * holds for the hosts of other teams, too.
 */
export function withStorableAnswers<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found === 'function') return (...asked: unknown[]) => cleanAnswer(Reflect.apply(found, target, asked));
      const isPart = PARTS.includes(name) && typeof found === 'object' && found !== null;
      return isPart ? withStorableAnswers(found) : found;
    },
  });
}

function cleanAnswer(answer: unknown): unknown {
  return answer instanceof Promise ? answer.then(storable) : storable(answer);
}
