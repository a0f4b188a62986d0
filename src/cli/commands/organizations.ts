import type { Command } from 'commander';
import { answering } from '../answering';
import { databaseWork } from '../loaded-later';
import { table } from '../reply';
import type { Terminal } from '../terminal';

export function addOrganizationCommands(program: Command, terminal: Terminal): void {
  const org = program.command('org').description('organizations, which own tokens and repositories');

  const create = org
    .command('create')
    .description('make an organization')
    .argument('<slug>', 'name in requests and options: lower-case letters, digits and hyphens')
    .option('--name <name>', 'name for people; default: the slug');
  answering<{ name?: string }>(create, terminal, async ({ args, options }) => {
    const { createOrganization, withDatabase } = databaseWork();
    const slug = args[0] as string;
    const made = await withDatabase((prisma, now) => createOrganization(prisma, { slug, name: options.name }, now));
    return {
      data: made,
      lines: [`Made the organization ${made.slug}.`],
      next: `sluice token create --org ${made.slug} --name <name> --role admin`,
    };
  });

  const list = org.command('list').description('show every organization');
  answering(list, terminal, async () => {
    const { listOrganizations, withDatabase } = databaseWork();
    const found = await withDatabase((prisma) => listOrganizations(prisma));
    const rows = found.map(({ slug, name, createdAt }) => [slug, createdAt.toISOString(), name]);
    return {
      data: found,
      lines: found.length === 0 ? ['There is no organization.'] : table([['SLUG', 'MADE', 'NAME'], ...rows]),
      next: found.length === 0 ? 'sluice org create <slug>' : undefined,
    };
  });
}
