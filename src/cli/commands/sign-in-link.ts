import type { Command } from 'commander';
import { answering } from '../answering';
import type { Database } from '../database-session';
import { databaseWork } from '../loaded-later';
import type { Terminal } from '../terminal';

interface Options {
  readonly org: string;
  readonly name?: string;
}

export function addSignInLinkCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('sign-in-link')
    .description('make a link that signs one browser in to the page; it is valid for 10 minutes')
    .requiredOption('--org <slug>', 'the organization')
    .option('--name <token>', 'admin token that the session belongs to; default: the only valid one');
  answering<Options>(command, terminal, async ({ options: { org, name } }) => {
    const { createSignInLink, signInLinkUrl, withDatabase } = databaseWork();
    const request = { organizationSlug: org, tokenName: name };
    const { publicUrl, code, tokenName, expiresAt } = await withDatabase(async (prisma, now) => ({
      publicUrl: await publicUrlOfService(prisma),
      ...(await createSignInLink(prisma, request, now)),
    }));
    const url = signInLinkUrl(publicUrl, code);
    return {
      data: { url, organization: org, token: tokenName, expiresAt },
      lines: [
        `This link signs one browser in as the token ${tokenName} of ${org}. It expires at ${expiresAt.toISOString()}.`,
        '',
        url,
      ],
    };
  });
}

/**
 * The public URL of the running service, whose settings may differ from the settings of this command. Without a running
 * service, the URL in the settings of this command.
 */
async function publicUrlOfService(prisma: Database): Promise<string> {
  const { listServiceProcesses, readConfig } = databaseWork();
  const running = (await listServiceProcesses(prisma)).find(({ isAlive }) => isAlive);
  const url = running?.settings.SLUICE_PUBLIC_URL;
  return url === undefined || new URL(url).port === '0' ? readConfig().publicUrl : url;
}
