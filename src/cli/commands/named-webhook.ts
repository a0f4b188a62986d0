import { InvalidArgumentError } from 'commander';
import type { ApiClient } from '../api-client';
import { CliError } from '../cli-error';

export interface WebhookAnswer {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly paused: boolean;
  readonly address: string;
  readonly repository: string | null;
  readonly targetBranch: string | null;
  readonly events: readonly string[];
  readonly waitingCount: number;
  readonly previousSecretUntil: string | null;
}

export const GATHER_HELP =
  'for chats: seconds in which test events are collected into one message; 0: each event is sent alone';

/** Errors: NOT_FOUND. */
export async function findWebhook(api: ApiClient, name: string): Promise<WebhookAnswer> {
  const { webhooks } = await api.post<{ readonly webhooks: readonly WebhookAnswer[] }>('listWebhooks', {});
  const found = webhooks.find((one) => one.name === name || one.id === name);
  if (found) return found;
  throw new CliError(`There is no webhook ${name}.`, { code: 'NOT_FOUND', next: 'See them with: sluice webhook list' });
}

export function parseList(text: string): readonly string[] {
  return text.split(',').map((one) => one.trim());
}

export function parsePerson(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, login, name] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (login === undefined || name === undefined) throw new InvalidArgumentError('Write it as login=name.');
  return { ...before, [login]: name };
}
