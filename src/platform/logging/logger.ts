import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import { hideTokens } from '../auth/token';
import type { Config, LogLevel } from '../config/config';
import { textLine } from './text-line';

/** Contexts in which Nest logs its own construction. Their lines are written at the level debug. */
const FRAMEWORK_CONTEXTS: readonly unknown[] = [
  ...['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver'],
];

/**
 * Implements Nest's logger interface. It writes one JSON object per line, and the destination may turn the object into
 * a sentence.
 */
class StructuredLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log = (message: unknown, ...rest: unknown[]) =>
    this.write(FRAMEWORK_CONTEXTS.includes(rest.at(-1)) ? 'debug' : 'info', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => this.write('trace', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => this.write('fatal', message, withStack(rest));
  error = (message: unknown, ...rest: unknown[]) => this.write('error', message, withStack(rest));

  /** Nest appends the context, a class name, as the last argument. */
  private write(level: Exclude<LogLevel, 'silent'>, message: unknown, rest: unknown[]): void {
    const context = rest.length > 0 && typeof rest.at(-1) === 'string' ? { context: rest.at(-1) } : {};
    const extra = rest.find((part): part is object => typeof part === 'object' && part !== null);
    if (message instanceof Error) this.logger[level]({ ...context, ...extra, err: message }, message.message);
    else if (typeof message === 'object' && message !== null) {
      const { message: text, ...fields } = message as { message?: unknown };
      this.logger[level]({ ...context, ...extra, ...fields }, typeof text === 'string' ? text : undefined);
    } else this.logger[level]({ ...context, ...extra }, String(message));
  }
}

export function createLogger(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ sync: true }),
): StructuredLogger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: hideSecrets },
  };
  return new StructuredLogger(pino(options, destination));
}

/** Without a configured format, a terminal gets sentences, and files and pipes get JSON. */
export function logFormatOf({ logFormat }: Pick<Config, 'logFormat'>): 'json' | 'text' {
  return logFormat ?? (process.stdout.isTTY ? 'text' : 'json');
}

/** Standard output. */
export function logDestination(config: Pick<Config, 'logFormat'>): DestinationStream {
  const output = pino.destination({ sync: true });
  return logFormatOf(config) === 'text' ? { write: (line: string) => void output.write(textLine(line)) } : output;
}

/** Nest calls `error(message, stack, context)`. */
function withStack(rest: unknown[]): unknown[] {
  const [stack, ...others] = rest;
  return typeof stack === 'string' && others.length > 0 ? [{ stack }, ...others] : rest;
}

/** Removes tokens and passwords from every line, so that no code can log a secret by mistake. */
function hideSecrets(line: string): string {
  return hideTokens(line)
    .replace(/(\b\w+:\/\/[^\s:/@"\\]*):[^\s/@"\\]+@/g, '$1:[hidden]@')
    .replace(/\b(gh[a-z]_|github_pat_)[A-Za-z0-9_]{8,}/g, '$1[hidden]')
    .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*/g, '[hidden private key]')
    .replace(/\b(Basic|Bearer) [A-Za-z0-9+/=_.-]{16,}/g, '$1 [hidden]')
    .replace(
      /("(?:x-api-token|authorization|password|secret|cookie|webhookSecret|privateKey)"\s*:\s*")[^"]+"/gi,
      '$1[hidden]"',
    );
}
