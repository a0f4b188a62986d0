import type { Caller } from '../../platform/requests/caller';
import { DomainError } from '../../platform/errors/domain-error';
import type { WebhookKind } from '../../processing/notifications/webhook-event';
import type { CreateWebhookRequest } from './webhook.dto';

type OptionsOfKind = Pick<CreateWebhookRequest, 'people' | 'gatherSeconds'>;

/** `message` continues the name of the field. */
export function invalidWebhookField(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `${field}: ${message}.`, [{ field, message }]);
}

export function noSuchWebhook(id: string): DomainError {
  return new DomainError('NOT_FOUND', `The organization has no webhook ${id}.`);
}

/** The form in which each chat service names a person. Names of groups, such as `here` or `channel`, do not match. */
const NAMES: Readonly<Record<Exclude<WebhookKind, 'webhook'>, { readonly pattern: RegExp; readonly as: string }>> = {
  slack: { pattern: /^[UW][A-Z0-9]{2,}$/, as: 'ids of Slack, such as U024BE7LH' },
  teams: { pattern: /^[^\s<>"]+@[^\s<>"]+$|^[0-9a-f-]{36}$/i, as: 'addresses or ids of Microsoft Entra' },
  mattermost: { pattern: /^(?!(?:all|channel|here)$)[a-z0-9._-]+$/, as: 'user names of Mattermost, without @' },
  discord: { pattern: /^\d{15,20}$/, as: 'ids of Discord, such as 80351110224678912' },
};

/** Errors: VALIDATION_FAILED if fields contradict each other. */
export function requireFitting(caller: Caller, request: CreateWebhookRequest): void {
  const { repo, targetBranch, kind = 'webhook' } = request;
  if (repo === undefined && targetBranch !== undefined)
    throw invalidWebhookField('repo', 'must name the repository of targetBranch');
  if (repo === undefined && caller.repositoryIds !== null)
    throw invalidWebhookField('repo', 'must name a repository, because the token is limited to some repositories');
  requireForKind(kind, request);
}

/** Errors: VALIDATION_FAILED if an option does not exist for this kind. */
export function requireForKind(kind: WebhookKind, request: OptionsOfKind): void {
  const { people = {}, gatherSeconds } = request;
  if (kind === 'webhook' && gatherSeconds !== undefined)
    throw invalidWebhookField('gatherSeconds', 'must be absent: only chats collect test events');
  const names = Object.values(people);
  if (names.length === 0) return;
  if (kind === 'webhook') throw invalidWebhookField('people', 'must be absent: only chats mention people');
  const { pattern, as } = NAMES[kind];
  if (!names.every((name) => pattern.test(name))) throw invalidWebhookField('people', `must hold ${as}`);
}
