import type { Command } from 'commander';
import { readClientSettings } from '../../platform/config/client-settings';
import { type ServiceOptions, withServiceOptions } from '../answering';
import { ApiClient, requireToken } from '../api-client';

interface Options extends ServiceOptions {
  readonly readOnly?: true;
}

/** A server for agents on standard input and output. The command must write no other text to standard output. */
export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'serve agents over the Model Context Protocol, on standard input and output, with the rights of the token',
    )
    .option('--read-only', 'offer only tools that change nothing');
  withServiceOptions(command).action(async (options: Options) => {
    const settings = readClientSettings(options);
    requireToken(settings);
    // The module is loaded here, so that other commands start without the packages of the protocol.
    const { serveAgents } = require('../mcp/serve-agents') as typeof import('../mcp/serve-agents');
    await serveAgents(new ApiClient(settings, 'mcp'), options.readOnly ? 'reading' : 'all');
  });
}
