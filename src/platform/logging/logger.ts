import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config/config';
import { hideSecrets } from './hide-secrets';

/** What Nest says about its own construction is of use only to somebody who looks for a fault in it. */
const FRAMEWORK_CONTEXTS: readonly unknown[] = ['InstanceLoader', 'NestFactory', 'RouterExplorer', 'RoutesResolver'];

/** Structured JSON, one object a line, behind Nest's own logger interface. */
export class StructuredLogger implements LoggerService {
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

/** Nest calls `error(message, stack, context)`. */
function withStack(rest: unknown[]): unknown[] {
  const [stack, ...others] = rest;
  return typeof stack === 'string' && others.length > 0 ? [{ stack }, ...others] : rest;
}
