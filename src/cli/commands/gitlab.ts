import type { Command } from 'commander';
import { prepareProject } from '../../code-hosts/gitlab/prepare-project';
import type { Terminal } from '../terminal';
import { addPrepareCommand } from './prepare';

export function addGitLabCommands(program: Command, terminal: Terminal): void {
  addPrepareCommand(program.command('gitlab').description('set up GitLab'), terminal, {
    kind: 'gitlab',
    guide: 'docs/gitlab.md',
    description: 'prepare a project: its webhook, who may push, that testing branches are free, the label',
    rule: 'only the service pushes to it, or where the plan names no users, Maintainers',
    prepare: (wanted) => prepareProject(wanted),
  });
}
