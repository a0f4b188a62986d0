import { AccessError } from '../platform/auth/access-error';
import { ConfigError } from '../platform/config/config';
import { CliError } from './cli-error';
import type { Terminal } from './terminal';

/** The result of a command: `data` for `--json`, all other fields for people. */
export interface Reply {
  readonly data: unknown;
  readonly lines: readonly string[];
  /** The next step, as a command if there is one. */
  readonly next?: string;
}

export function printReply(terminal: Terminal, reply: Reply, format: 'json' | 'text'): void {
  if (format === 'json') return terminal.out(`${JSON.stringify(reply.data, null, 2)}\n`);
  const next = reply.next === undefined ? [] : ['', `Next: ${reply.next}`];
  terminal.out([...reply.lines, ...next, ''].join('\n'));
}

/** Prints a failure. Returns the exit code. */
export function printFailure(terminal: Terminal, thrown: unknown, format: 'json' | 'text'): number {
  const error = asCliError(thrown);
  const { code, message, details, next } = error;
  if (format === 'json') {
    terminal.err(`${JSON.stringify({ error: { code, message, details, next } }, null, 2)}\n`);
    return error.exit;
  }
  const fields = details.map((detail) => `  ${detail.field}: ${detail.message}`);
  terminal.err([`sluice: ${message}`, ...fields, ...(next === undefined ? [] : [next]), ''].join('\n'));
  return error.exit;
}

/** Any failure, in words for people. */
export function asCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  if (thrown instanceof AccessError) return new CliError(thrown.message, { code: 'REFUSED', next: nextAfter(thrown) });
  if (thrown instanceof ConfigError) return new CliError(thrown.message, { exit: 2, code: 'CONFIGURATION' });
  return new CliError(thrown instanceof Error ? thrown.message : String(thrown));
}

function nextAfter({ message }: AccessError): string | undefined {
  if (/no organization/.test(message)) return 'See them with: sluice org list. Make one with: sluice org create <slug>';
  if (/no valid admin token/.test(message))
    return 'Make one with: sluice token create --org <slug> --name <name> --role admin';
  if (/more than one valid admin token/.test(message)) return 'Choose one with: --name <token>';
  if (/has no token/.test(message)) return 'See them with: sluice token list --org <slug>';
  return undefined;
}

/** Columns as wide as their widest cell; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
