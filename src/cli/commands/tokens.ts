import { type Command, InvalidArgumentError, Option } from 'commander';
import { PRIORITIES } from '../../engine/vocabulary';
import { type Role, ROLE_NAMES, ROLES } from '../../platform/requests/roles';
import type { TokenRecord } from '../../platform/auth/tokens';
import { machineTime } from '../../platform/clock/machine-time';
import type { RepositoryName } from '../../platform/repository-name';
import { answering } from '../answering';
import { parseExpiry, parseRepository } from '../arguments';
import { databaseWork, hostsWork } from '../loaded-later';
import { table } from '../reply';
import type { Terminal } from '../terminal';

interface Options {
  readonly org: string;
  readonly name: string;
  /** Absent: the default of the token's role. */
  readonly expires?: Date | 'never';
}

interface CreateOptions extends Options {
  readonly role: Role;
  readonly repo?: readonly RepositoryName[];
  readonly bestPriority?: number;
}

const ORG = ['--org <slug>', 'the organization'] as const;
const NAME = ['--name <name>', 'unique in the organization; the log shows it as the actor'] as const;

export function addTokenCommands(program: Command, terminal: Terminal): void {
  const token = program.command('token').description('API tokens of an organization');
  addCreate(token, terminal);
  addList(token, terminal);
  addRotate(token, terminal);

  const revoke = token
    .command('revoke')
    .description('revoke a token immediately and permanently')
    .requiredOption(...ORG)
    .requiredOption(...NAME);
  answering<Options>(revoke, terminal, async ({ options: { org, name } }) => {
    const { revokeToken, withDatabase } = databaseWork();
    await withDatabase((prisma, now) => revokeToken(prisma, { organizationSlug: org, name }, now));
    return { data: { revoked: name }, lines: [`The token ${name} of ${org} is revoked.`] };
  });
}

function addCreate(token: Command, terminal: Terminal): void {
  const create = token
    .command('create')
    .description('make a token, and show it once')
    .requiredOption(...ORG)
    .requiredOption(...NAME)
    .addOption(
      new Option('--role <role>', ROLE_NAMES.map((role) => `${role}: ${ROLES[role].help}`).join('. '))
        .choices(ROLE_NAMES)
        .makeOptionMandatory(),
    )
    .option(
      '--repo <repository>',
      'host/owner/name: limits the token to this repository; can be repeated; default: all of the organization',
      (text, before: readonly RepositoryName[] = []) => [...before, parseRepository(text)],
    )
    .option(
      '--best-priority <priority>',
      'best priority that the token may request: urgent, high, medium, low or a number; default: any',
      parsePriority,
    )
    .option(
      '--expires <when>',
      'when the token expires: 90d, 12h, a date, or never; default: 90d for the roles ci and status, never for other roles',
      parseTerm,
    );
  answering<CreateOptions>(create, terminal, async ({ options }) => {
    const { org, name, role, repo = [], bestPriority, expires } = options;
    const { createToken, requireRepositories, withDatabase } = databaseWork();
    const made = await withDatabase(async (prisma, now) => {
      const repositoryIds = await requireRepositories(
        prisma,
        org,
        repo,
        repo.length === 0 ? [] : hostsWork().hostsIgnoring(),
      );
      const request = { organizationSlug: org, name, role, repositoryIds, bestPriority, expiresAt: expiryOf(expires) };
      return createToken(prisma, request, now);
    });
    return {
      data: { ...made, organization: org, name, role },
      lines: [
        `Made the token ${name} of ${org}, with the role ${role}. ${describeTerm(made.expiresAt)} It is not shown again:`,
        '',
        made.token,
      ],
      next: `export SLUICE_TOKEN=${made.token}`,
    };
  });
}

function addList(token: Command, terminal: Terminal): void {
  const list = token
    .command('list')
    .description("show an organization's tokens, without their secrets")
    .requiredOption(...ORG);
  answering<Options>(list, terminal, async ({ options }) => {
    const { listTokens, withDatabase } = databaseWork();
    const found = await withDatabase((prisma) => listTokens(prisma, options.org));
    const rows = found.map((row) => [row.name, row.role, limitsOf(row), timeOf(row.lastUsedAt), stateOf(row)]);
    return {
      data: found,
      lines:
        found.length === 0
          ? [`${options.org} has no token.`]
          : table([['NAME', 'ROLE', 'LIMITS', 'LAST USED', 'STATE'], ...rows]),
      next: found.length === 0 ? `sluice token create --org ${options.org} --name <name> --role submit` : undefined,
    };
  });
}

function addRotate(token: Command, terminal: Terminal): void {
  const rotate = token
    .command('rotate')
    .description('give a token a new secret, and show it once; the old secret is valid for 24 more hours')
    .requiredOption(...ORG)
    .requiredOption(...NAME)
    .option(
      '--expires <when>',
      'when the token expires: 90d, 12h, a date, or never; default: the same lifetime as before, counted from now',
      parseTerm,
    );
  answering<Options>(rotate, terminal, async ({ options: { org, name, expires } }) => {
    const request = { organizationSlug: org, name, expiresAt: expiryOf(expires) };
    const { rotateToken, withDatabase } = databaseWork();
    const rotated = await withDatabase((prisma, now) => rotateToken(prisma, request, now));
    return {
      data: { ...rotated, organization: org, name },
      lines: [
        `The token ${name} of ${org} has a new secret. The old secret is valid until ${timeOf(rotated.previousUntil)}.`,
        `${describeTerm(rotated.expiresAt)} It is not shown again:`,
        '',
        rotated.token,
      ],
      next: `export SLUICE_TOKEN=${rotated.token}`,
    };
  });
}

function parseTerm(text: string): Date | 'never' {
  return text === 'never' ? 'never' : parseExpiry(text, machineTime());
}

function expiryOf(expires: Options['expires']): Date | null | undefined {
  return expires === 'never' ? null : expires;
}

function parsePriority(text: string): number {
  const named = Object.entries(PRIORITIES).find(([name]) => name === text.toLowerCase())?.[1];
  const value = named ?? (/^\d{1,10}$/.test(text) ? Number(text) : NaN);
  if (value < 2 ** 32) return value;
  throw new InvalidArgumentError('It is urgent, high, medium, low or a number from 0 to 4294967295.');
}

function describeTerm(expiresAt: Date | null): string {
  return expiresAt === null ? 'It does not expire.' : `It expires at ${expiresAt.toISOString()}.`;
}

function limitsOf({ repositories, bestPriority }: TokenRecord): string {
  const priority = bestPriority === null ? [] : [`priority ${bestPriority} or worse`];
  const limits = [...(repositories ?? []), ...priority];
  if (repositories?.length === 0) return ['no repository', ...priority].join(', ');
  return limits.length === 0 ? 'none' : limits.join(', ');
}

function timeOf(time: Date | null): string {
  return time?.toISOString() ?? 'never';
}

function stateOf({ revokedAt, expiresAt, previousUntil, widerThanRole }: TokenRecord): string {
  const now = machineTime();
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  const term = expiresAt === null ? 'valid' : `valid until ${expiresAt.toISOString()}`;
  const rotated = previousUntil !== null && previousUntil > now;
  const before = rotated ? [`old secret valid until ${previousUntil.toISOString()}`] : [];
  return [term, ...before, ...(widerThanRole ? ['wider than its role: rotate it'] : [])].join(', ');
}
