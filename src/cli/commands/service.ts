import type { Command } from 'commander';
import { CliError } from '../cli-error';
import type { Invocation } from '../invocation';
import type { Terminal } from '../terminal';

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service, configured by the environment and sluice.config.yaml')
    .action(() => {
      showSourcePositions();
      const { runMergeQueue } = require('../../run-merge-queue') as typeof import('../../run-merge-queue');
      return runMergeQueue();
    });
}

export function addDemoCommand(program: Command, _terminal: Terminal, { screen }: Invocation): void {
  program
    .command('demo')
    .description('show a queue at work on a new repository in a temporary folder')
    .option('--stay', 'keep the service running afterwards')
    .action(async ({ stay }: { stay?: true }) => {
      showSourcePositions();
      const { runDemo } = require('../demo/run-demo') as typeof import('../demo/run-demo');
      const outcome = await runDemo(screen, stay ? 'stays' : 'ends');
      if (outcome === 'as it should be') return;
      throw new CliError(outcome === 'interrupted' ? 'The demo was interrupted.' : 'The demo did not end as expected.');
    });
}

/** Must run before the service is loaded: files that were loaded earlier keep compiled positions in stack traces. */
function showSourcePositions(): void {
  require('../../platform/config/source-maps');
}
