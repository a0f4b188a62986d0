import type { Command } from 'commander';
import { prepareRepository } from '../../code-hosts/gitea/prepare-repository';
import type { Terminal } from '../terminal';
import { addPrepareCommand } from './prepare';

export function addGiteaCommands(program: Command, terminal: Terminal): void {
  addPrepareCommand(program.command('gitea').description('set up Gitea and Forgejo'), terminal, {
    kind: 'gitea',
    guide: 'docs/gitea.md',
    description: 'prepare a repository: its webhook, who may push, marks of merges, the label',
    rule: 'only the service pushes to it',
    prepare: (wanted) => prepareRepository(wanted),
  });
}
