import type { Command } from 'commander';
import { parseRepository, REPOSITORY } from '../arguments';

/** A command about the queue of one repository and target branch. */
export function queueLeaf(queue: Command, name: string, help: string): Command {
  return queue
    .command(name)
    .description(help)
    .argument(...REPOSITORY, parseRepository)
    .option('--branch <branch>', 'target branch', 'main');
}
