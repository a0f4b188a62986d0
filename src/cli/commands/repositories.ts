import type { Command } from 'commander';
import { answering } from '../answering';
import type { RepositoryName } from '../../platform/repository-name';
import { describeRepository, parseRepository, REPOSITORY } from '../arguments';
import { databaseWork, hostsWork } from '../loaded-later';
import { table } from '../reply';
import type { Terminal } from '../terminal';

interface Options {
  readonly org: string;
}

const ORG = ['--org <slug>', 'the organization'] as const;

export function addRepositoryCommands(program: Command, terminal: Terminal): void {
  const repo = program.command('repo').description('repositories: each belongs to one organization');

  const add = repo
    .command('add')
    .description('add a repository to an organization')
    .argument(...REPOSITORY, parseRepository)
    .requiredOption(...ORG);
  answering<Options>(add, terminal, async ({ args, options }) => {
    const wanted = args[0] as RepositoryName;
    const { createRepository, withDatabase } = databaseWork();
    const made = await withDatabase((prisma, now) =>
      createRepository(prisma, { ...wanted, organizationSlug: options.org }, now, hostsWork().hostsIgnoring()),
    );
    const name = describeRepository(made);
    return {
      data: made,
      lines: [`${name} belongs to ${options.org} now.`],
      next: `sluice queue create ${name} --branch main`,
    };
  });

  const list = repo
    .command('list')
    .description("show an organization's repositories")
    .requiredOption(...ORG);
  answering<Options>(list, terminal, async ({ options }) => {
    const { listRepositories, withDatabase } = databaseWork();
    const found = await withDatabase((prisma) => listRepositories(prisma, options.org));
    const rows = found.map((row) => [describeRepository(row), row.createdAt.toISOString()]);
    return {
      data: found,
      lines: found.length === 0 ? [`${options.org} has no repository.`] : table([['REPOSITORY', 'ADDED'], ...rows]),
      next: found.length === 0 ? `sluice repo add host/owner/name --org ${options.org}` : undefined,
    };
  });

  const remove = repo
    .command('remove')
    .description('remove a repository that has never had a queue')
    .argument(...REPOSITORY, parseRepository)
    .requiredOption(...ORG);
  answering<Options>(remove, terminal, async ({ args, options }) => {
    const wanted = args[0] as RepositoryName;
    const { removeRepository, withDatabase } = databaseWork();
    await withDatabase((prisma, now) =>
      removeRepository(prisma, { ...wanted, organizationSlug: options.org }, now, hostsWork().hostsIgnoring()),
    );
    return { data: { removed: wanted }, lines: [`${describeRepository(wanted)} belongs to no organization now.`] };
  });
}
