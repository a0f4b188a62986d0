import type { Statements } from '../../platform/database/statements';
import { isAnybodyTold, appendWebhookEvents } from '../notifications/append-events';

interface FaultyQueue {
  readonly id: string;
  readonly repositoryId: string;
  readonly branch: string;
}

interface Place {
  readonly slug: string;
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

/** Webhooks hear of a fault of the service itself, with a sentence for people. It is no result of any pull request. */
export async function tellOfFault(tx: Statements, queue: FaultyQueue, message: string, now: Date): Promise<void> {
  const { id, repositoryId, branch } = queue;
  if (!(await isAnybodyTold(tx, repositoryId, ['queue_red']))) return;
  const [place] = await tx.rows<Place>`/* tell-of-fault tellOfFault */
    SELECT o."slug", r."host", r."owner", r."name" FROM "Repository" r JOIN "Organization" o ON o."id" = r."organizationId"
    WHERE r."id" = ${repositoryId}::uuid`;
  if (place === undefined) return;
  const { slug: organization, host, owner, name } = place;
  const common = {
    type: 'queue_red',
    at: now,
    repositoryId,
    branch,
    subject: `queue ${id}`,
    isForChats: true,
  } as const;
  const about = { organization, repo: { host, owner, name }, targetBranch: branch, pullRequest: null, test: null };
  const facts = { ...about, state: 'red', from: null, reason: 'cannot_decide', actor: null, message };
  await appendWebhookEvents(tx, [{ ...common, facts }]);
}
