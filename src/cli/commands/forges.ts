import type { Command } from 'commander';
import { prepareRepository } from '../../code-hosts/gitea/prepare-repository';
import { prepareProject } from '../../code-hosts/gitlab/prepare-project';
import type { Terminal } from '../terminal';
import { addPrepareCommand, type PreparingKind } from './prepare';

const FORGES: readonly (PreparingKind & { readonly name: string })[] = [
  {
    kind: 'gitea',
    name: 'Gitea and Forgejo',
    guide: 'docs/gitea.md',
    description: 'prepare a repository: its webhook, who may push, marks of merges, the label',
    rule: 'only the service pushes to it',
    prepare: (wanted) => prepareRepository(wanted),
  },
  {
    kind: 'gitlab',
    name: 'GitLab',
    guide: 'docs/gitlab.md',
    description: 'prepare a project: its webhook, who may push, that testing branches are free, the label',
    rule: 'only the service pushes to it, or where the plan names no users, Maintainers',
    prepare: (wanted) => prepareProject(wanted),
  },
];

/** A command for each kind of host whose repositories the service can prepare. */
export function addForgeCommands(program: Command, terminal: Terminal): void {
  for (const { name, ...forge } of FORGES)
    addPrepareCommand(program.command(forge.kind).description(`set up ${name}`), terminal, forge);
}
