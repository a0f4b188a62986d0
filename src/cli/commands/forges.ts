import type { Command } from 'commander';
import type { Terminal } from '../terminal';
import { addPrepareCommand } from './prepare';

type Gitea = typeof import('../../code-hosts/gitea/prepare-repository');
type GitLab = typeof import('../../code-hosts/gitlab/prepare-project');

export function addGiteaCommand(program: Command, terminal: Terminal): void {
  addPrepareCommand(program.command('gitea').description('set up Gitea and Forgejo'), terminal, {
    kind: 'gitea',
    guide: 'docs/gitea.md',
    description: 'prepare a repository: its webhook, who may push, marks of merges, the label',
    rule: 'only the service pushes to it',
    takesButton: true,
    prepare: (wanted) => (require('../../code-hosts/gitea/prepare-repository') as Gitea).prepareRepository(wanted),
  });
}

export function addGitLabCommand(program: Command, terminal: Terminal): void {
  addPrepareCommand(program.command('gitlab').description('set up GitLab'), terminal, {
    kind: 'gitlab',
    guide: 'docs/gitlab.md',
    description: 'prepare a project: its webhook, who may push, that testing branches are free, the label',
    rule: 'only the service pushes to it, or where the plan names no users, Maintainers',
    prepare: (wanted) => (require('../../code-hosts/gitlab/prepare-project') as GitLab).prepareProject(wanted),
  });
}
