import { type Command, Option } from 'commander';
import { type Role, ROLE_NAMES, ROLES } from '../../platform/auth/roles';
import { createToken, listTokens, revokeToken, type TokenRecord } from '../../platform/auth/tokens';
import { SystemClock } from '../../platform/clock/clock';
import { answering } from '../answering';
import { parseExpiry } from '../arguments';
import { withDatabase } from '../database-session';
import { table } from '../reply';
import type { Terminal } from '../terminal';

interface Options {
  readonly org: string;
  readonly name: string;
  readonly role: Role;
  readonly expires?: Date;
}

const ORG = ['--org <slug>', 'the organization'] as const;
const NAME = ['--name <name>', 'unique in the organization; the log shows it as the actor'] as const;

export function addTokenCommands(program: Command, terminal: Terminal): void {
  const token = program.command('token').description('API tokens of an organization');
  addCreate(token, terminal);

  const list = token
    .command('list')
    .description("show an organization's tokens, without their secrets")
    .requiredOption(...ORG);
  answering<Options>(list, terminal, async ({ options }) => {
    const found = await withDatabase((prisma) => listTokens(prisma, options.org));
    const rows = found.map((row) => [row.name, row.role, row.lastUsedAt?.toISOString() ?? 'never', stateOf(row)]);
    return {
      data: found,
      lines:
        found.length === 0
          ? [`${options.org} has no token.`]
          : table([['NAME', 'ROLE', 'LAST USED', 'STATE'], ...rows]),
      next: found.length === 0 ? `sluice token create --org ${options.org} --name <name> --role submit` : undefined,
    };
  });

  const revoke = token
    .command('revoke')
    .description('revoke a token, at once and for ever')
    .requiredOption(...ORG)
    .requiredOption(...NAME);
  answering<Options>(revoke, terminal, async ({ options: { org, name } }) => {
    await withDatabase((prisma, now) => revokeToken(prisma, { organizationSlug: org, name }, now));
    return { data: { revoked: name }, lines: [`The token ${name} of ${org} is revoked.`] };
  });
}

function addCreate(token: Command, terminal: Terminal): void {
  const now = new SystemClock().now();
  const create = token
    .command('create')
    .description('make a token, and show it this one time')
    .requiredOption(...ORG)
    .requiredOption(...NAME)
    .addOption(
      new Option('--role <role>', ROLE_NAMES.map((role) => `${role}: ${ROLES[role].help}`).join('. '))
        .choices(ROLE_NAMES)
        .makeOptionMandatory(),
    )
    .option('--expires <when>', 'when it expires: 90d, 12h or a date; default: never', (text) =>
      parseExpiry(text, now),
    );
  answering<Options>(create, terminal, async ({ options: { org, name, role, expires } }) => {
    const request = { organizationSlug: org, name, role, expiresAt: expires };
    const made = await withDatabase((prisma) => createToken(prisma, request, now));
    const until = expires === undefined ? 'It does not expire.' : `It expires at ${expires.toISOString()}.`;
    return {
      data: { ...made, organization: org, name, role, expiresAt: expires ?? null },
      lines: [
        `Made the token ${name} of ${org}, with the role ${role}. ${until} It is not shown again:`,
        '',
        made.token,
      ],
      next: `export SLUICE_TOKEN=${made.token}`,
    };
  });
}

function stateOf({ revokedAt, expiresAt, widerThanRole }: TokenRecord): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt !== null && expiresAt <= new SystemClock().now()) return 'expired';
  const term = expiresAt === null ? 'valid' : `valid until ${expiresAt.toISOString()}`;
  return widerThanRole ? `${term}, wider than its role: rotate it` : term;
}
