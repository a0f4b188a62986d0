import type { Command } from 'commander';
import { runMergeQueue } from '../../run-merge-queue';
import { CliError } from '../cli-error';
import { runDemo } from '../demo/run-demo';
import type { Terminal } from '../terminal';

export function addServiceCommands(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('run the service; environment variables configure it')
    .action(() => runMergeQueue());
  program
    .command('demo')
    .description('show a queue at work on a new repository in a temporary folder')
    .option('--stay', 'keep the service running afterwards')
    .action(async ({ stay }: { stay?: true }) => {
      const outcome = await runDemo(terminal, stay ? 'stays' : 'ends');
      if (outcome === 'as it should be') return;
      throw new CliError(outcome === 'interrupted' ? 'The demo was interrupted.' : 'The demo did not end as expected.');
    });
}
