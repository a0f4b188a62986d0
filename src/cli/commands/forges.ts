import type { Command } from 'commander';
import type { Terminal } from '../terminal';
import { addPrepareCommand } from './prepare';

type Gitea = typeof import('../../code-hosts/gitea/prepare-repository');
type GitLab = typeof import('../../code-hosts/gitlab/prepare-project');

export function addGiteaCommand(program: Command, terminal: Terminal): void {
  addPrepareCommand(program.command('gitea').description('set up Gitea and Forgejo'), terminal, {
    kind: 'gitea',
    guide: 'docs/gitea.md',
    description: 'prepare a repository: webhook, push rights, marks of merges, label',
    rule: 'only the service pushes to it',
    takesButton: true,
    prepare: (wanted) => (require('../../code-hosts/gitea/prepare-repository') as Gitea).prepareRepository(wanted),
  });
}

export function addGitLabCommand(program: Command, terminal: Terminal): void {
  addPrepareCommand(program.command('gitlab').description('set up GitLab'), terminal, {
    kind: 'gitlab',
    guide: 'docs/gitlab.md',
    description: 'prepare a project: webhook, push rights, unprotected testing branches, label',
    rule: 'only the service pushes to it, or Maintainers if the plan cannot name users',
    prepare: (wanted) => (require('../../code-hosts/gitlab/prepare-project') as GitLab).prepareProject(wanted),
  });
}
