import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { appManifest, type AppOptions, canBeReached, prefilledForm } from '../../code-hosts/github/app-manifest';
import { APP_EVENTS, APP_PERMISSIONS } from '../../code-hosts/github/app-permissions';
import { readConfig } from '../../platform/config/read-config';
import { table } from '../reply';
import type { Terminal } from '../terminal';

interface Options {
  readonly url?: string;
  readonly name?: string;
  readonly organization?: string;
  readonly enterprise?: string;
  readonly json?: true;
}

const LONGEST_NAME = 34;

export function addGitHubCommands(program: Command, terminal: Terminal): void {
  const github = program.command('github').description('set up GitHub');
  github
    .command('manifest')
    .description('print the manifest of the GitHub App that the service needs, and how to make it')
    .option('--url <address>', 'address at which GitHub reaches the service; default: SLUICE_PUBLIC_URL', parseAddress)
    .option('--name <name>', `name of the app, up to ${LONGEST_NAME} characters; unique on GitHub`, parseName)
    .option('--organization <login>', 'GitHub organization that will own the app; default: your own account')
    .option('--enterprise <address>', 'address of your own GitHub server; default: https://github.com', parseAddress)
    .option('--json', 'print only the manifest')
    .action((options: Options) => {
      const app = appOptionsOf(options);
      terminal.out(`${JSON.stringify(appManifest(app), null, 2)}\n`);
      if (!options.json) terminal.err(`${explanationOf(app).join('\n')}\n`);
    });
}

function appOptionsOf({ url, name, organization, enterprise }: Options): AppOptions {
  const { publicUrl, brand } = readConfig();
  const owner = organization === undefined ? '' : ` ${organization}`;
  return {
    publicUrl: url ?? publicUrl,
    name: name ?? `${brand}${owner}`.slice(0, LONGEST_NAME),
    organization,
    enterpriseUrl: enterprise,
  };
}

function explanationOf(app: AppOptions): string[] {
  const permissions = APP_PERMISSIONS.map(({ title, level, reason }) => [title, level, reason]);
  const events = APP_EVENTS.map(({ title, reason }) => [title, reason]);
  return [
    '',
    ...table([['PERMISSION', 'ACCESS', 'WHY'], ...permissions]),
    '',
    ...table([['EVENT', 'WHAT IT TELLS'], ...events]),
    '',
    ...webhookAdvice(app),
    'Next: open this address. It is GitHub\'s form, filled in. Press "Create GitHub App".',
    '',
    prefilledForm(app),
    '',
    'Then, on the page of the app: generate a private key, and install the app where your repositories are.',
    'All further steps: docs/github.md. When something does not work: sluice doctor',
  ];
}

function webhookAdvice({ publicUrl }: AppOptions): string[] {
  if (canBeReached(publicUrl))
    return ['The form asks for a webhook secret: choose one, such as the output of `openssl rand -hex 32`.'];
  return [`GitHub cannot reach ${publicUrl}: the manifest leaves the webhook off, and the service polls instead.`];
}

function parseAddress(text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'https:' || protocol === 'http:') return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('Write it as https://sluice.example.');
}

function parseName(text: string): string {
  if (text.trim() !== '' && text.length <= LONGEST_NAME) return text;
  throw new InvalidArgumentError(`It has 1 to ${LONGEST_NAME} characters.`);
}
