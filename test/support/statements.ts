import { Client } from 'pg';

/** One statement in the form in which pg takes it. */
export interface SentStatement {
  readonly text: string;
  readonly values?: unknown[];
  readonly name?: string;
}

type Listener = (statement: SentStatement) => void;

const listeners = new Set<Listener>();
let isListening = false;

/**
 * Calls the listener for every statement of this process to a database, including BEGIN and COMMIT. Returns a function
 * that removes the listener.
 */
export function onStatement(listener: Listener): () => void {
  listen();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The statements that were sent during `work`. */
export async function statementsOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const statements: SentStatement[] = [];
  const end = onStatement((statement) => statements.push(statement));
  try {
    await work();
  } finally {
    end();
  }
  return statements;
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  const query = Reflect.get(Client.prototype, 'query') as (this: Client, ...asked: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, asked: string | SentStatement, ...more: unknown[]) {
    const statement = typeof asked === 'string' ? { text: asked } : asked;
    const { text, values, name } = statement;
    for (const listener of listeners) listener({ text, values, name });
    return query.call(this, asked, ...more);
  } as typeof Client.prototype.query;
}
