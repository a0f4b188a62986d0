import type { Command } from 'commander';
import { readClientSettings } from '../platform/config/client-settings';
import { ApiClient } from './api-client';
import { printReply, type Reply } from './reply';
import type { Terminal } from './terminal';

interface Asked<Options> {
  /** The parsed arguments, in order. */
  readonly args: readonly unknown[];
  readonly options: Options;
}

interface CommonOptions {
  readonly json?: true;
}

export interface ServiceOptions extends CommonOptions {
  readonly url?: string;
  readonly token?: string;
}

export function formatOf({ json }: CommonOptions): 'json' | 'text' {
  return json ? 'json' : 'text';
}

/** Completes a command: adds `--json`, and prints the reply that `work` returns. */
export function answering<Options extends object>(
  command: Command,
  terminal: Terminal,
  work: (asked: Asked<Options>) => Promise<Reply>,
): void {
  command.option('--json', 'answer in JSON, for programs').action(async () => {
    const options = command.opts<Options & CommonOptions>();
    printReply(terminal, await work({ args: command.processedArgs, options }), formatOf(options));
  });
}

/** Like `answering`, for a command that sends requests to the service. */
export function askingService<Options extends ServiceOptions>(
  command: Command,
  terminal: Terminal,
  work: (asked: Asked<Options>, api: ApiClient) => Promise<Reply>,
): void {
  answering<Options>(withServiceOptions(command), terminal, (asked) => work(asked, serviceOf(asked.options)));
}

export function withServiceOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the service; default: SLUICE_URL, else http://localhost:3000')
    .option('--token <token>', 'API token; default: SLUICE_TOKEN, which hides it from other users of this machine');
}

export function serviceOf(options: ServiceOptions): ApiClient {
  return new ApiClient(readClientSettings(options));
}
