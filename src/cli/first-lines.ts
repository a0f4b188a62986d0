import type { INestApplication, LoggerService } from '@nestjs/common';
import { operator } from '../platform/audit/audit-source';
import { AccessError } from '../platform/auth/access-error';
import { listOrganizations } from '../platform/auth/organizations';
import { createSignInLink, signInLinkUrl } from '../platform/auth/sign-in-links';
import { Clock } from '../platform/clock/clock';
import { npmScript } from '../platform/config/client-settings';
import { Config } from '../platform/config/config';
import { PrismaService } from '../platform/database/prisma.service';

/** The terminal in which the service was started; null: its output goes to a file or a pipe. */
type OwnTerminal = Pick<NodeJS.WriteStream, 'write'> | null;

export function ownTerminal(): OwnTerminal {
  return process.stdout.isTTY ? process.stdout : null;
}

/**
 * Prints the first steps: the URL of the page, and the way to sign in. A link goes to the terminal only, never to the
 * log.
 */
export async function sayFirstLines(
  app: INestApplication,
  logger: LoggerService,
  terminal: OwnTerminal,
): Promise<void> {
  const { publicUrl } = app.get(Config);
  logger.log(`The page is ${publicUrl}/ui`);
  logger.log(`listening on ${await app.getUrl()}; documentation at ${publicUrl}/docs`);
  const organizations = await listOrganizations(app.get(PrismaService));
  const [first, ...others] = organizations.map(({ slug }) => slug);
  if (first === undefined) return sayHowToBegin(logger);
  const link = terminal !== null && others.length === 0 ? await linkTo(app, first) : null;
  if (link === null)
    logger.log(`Sign in with a link: sluice sign-in-link --org ${others.length === 0 ? first : '<slug>'}`);
  else terminal?.write(`Sign in within 10 minutes, once: ${link}\n`);
}

function sayHowToBegin(logger: LoggerService): void {
  const sample = npmScript() === 'start' ? 'npm run sample' : 'sluice sample';
  logger.log(`There is no organization yet. See a first queue at work, in another terminal: ${sample}`);
  logger.log('Make an organization and a token of your own:');
  logger.log('  sluice org create acme');
  logger.log('  sluice token create --org acme --name me --role admin');
}

/** Null: the organization has no valid admin token, or several. */
async function linkTo(app: INestApplication, organizationSlug: string): Promise<string | null> {
  const by = { ...operator(), channel: 'service' } as const;
  try {
    const { code } = await createSignInLink(app.get(PrismaService), { organizationSlug }, app.get(Clock).now(), by);
    return signInLinkUrl(app.get(Config).publicUrl, code);
  } catch (error) {
    if (error instanceof AccessError) return null;
    throw error;
  }
}
