import { FailedTestsReader } from '../../domain/failed-tests.port';
import type { Decided } from '../../engine/decision';
import { stateMessage } from '../../engine/messages/state-message';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import { assertNever } from '../../engine/vocabulary';
import { appendWebhookEvents } from '../notifications/append-events';
import { occurrencesIn, type QueueOccurrence } from '../notifications/events-of-decision';
import type { PullRequestOfWebhook, WebhookEvent, WebhookEventFacts } from '../notifications/webhook-event';
import type { QueueLock } from './queue-lock';
import { ViewFactsReader } from './view-facts-reader';

/** Leaves out failed tests, because a chat message is short and the page of the pull request shows them. */
class NoFailedTests extends FailedTestsReader {
  override of() {
    return Promise.resolve(new Map());
  }
}

/** The events of a decision; empty if no webhook subscribes to any of them. */
export function occurrencesToTell(
  { webhookEvents }: QueueLock,
  before: QueueSnapshot,
  { after, changes }: Decided,
): readonly QueueOccurrence[] {
  const wasRed = (before.flow?.redTarget ?? null) !== null;
  const isRed = (after.flow?.redTarget ?? null) !== null;
  const occurrences = occurrencesIn(changes, { wasRed, isRed });
  return occurrences.some(({ type }) => webhookEvents.includes(type)) ? occurrences : [];
}

interface DecisionMade {
  readonly after: QueueSnapshot;
  readonly brand: string;
  readonly now: Date;
}

/** Stores the webhook events of a decision, in its transaction and after its rows. Returns the number of deliveries. */
export async function tellWebhooks(
  lock: QueueLock,
  occurrences: readonly QueueOccurrence[],
  { after, brand, now }: DecisionMade,
): Promise<number> {
  const { tx, row } = lock;
  const told = await readTold(lock, after, occurrences);
  // The reader works inside the transaction, so that it sees the rows of this decision.
  const reader = new ViewFactsReader(tx, new NoFailedTests());
  const historyOf = await reader.historiesOf(
    after,
    told.entries.filter(({ state }) => isConcluded(state)),
  );
  const concluded = (entry: Entry) => stateMessage({ brand, queue: after, entry, ...historyOf(entry) });
  const events = occurrences.map((occurrence): WebhookEvent => {
    const { repositoryId, branch } = row;
    const { subject, ...facts } = factsOf(occurrence, after, told, concluded);
    const common = { type: occurrence.type, at: now, repositoryId, branch, isForChats: true };
    return { ...common, subject: `queue ${row.id}${subject}`, facts: { ...told.place, ...facts } };
  });
  return appendWebhookEvents(tx, events);
}

type Place = Pick<WebhookEventFacts, 'organization' | 'repo' | 'targetBranch' | 'test'>;

interface Told {
  readonly place: Place;
  readonly entries: readonly Entry[];
  readonly pullRequests: ReadonlyMap<number, PullRequestOfWebhook>;
}

async function readTold(
  { tx, row }: QueueLock,
  after: QueueSnapshot,
  occurrences: readonly QueueOccurrence[],
): Promise<Told> {
  const ids = new Set(occurrences.map((occurrence) => ('entryId' in occurrence ? occurrence.entryId : null)));
  const entries = after.entries.filter(({ id }) => ids.has(id));
  const [organization] = await tx.rows<{ slug: string }>`/* tell-webhooks readTold */
    SELECT "slug" FROM "Organization" WHERE "id" = ${row.organizationId}::uuid`;
  const rows = await tx.rows<Omit<PullRequestOfWebhook, 'head' | 'attempt'>>`/* tell-webhooks readTold 2 */
    SELECT "number", "title", "author", "url" FROM "PullRequest"
    WHERE "repositoryId" = ${row.repositoryId}::uuid AND "number" = ANY(${entries.map(({ number }) => number)}::int[])`;
  const { host, repositoryOwner: owner, repositoryName: name, branch: targetBranch } = row;
  const shown = rows.flatMap((known) => {
    const entry = entries.find(({ number }) => number === known.number);
    return entry ? [[known.number, { ...known, head: entry.head, attempt: entry.attempt }] as const] : [];
  });
  const place = { organization: organization!.slug, repo: { host, owner, name }, targetBranch, test: null };
  return { place, entries, pullRequests: new Map(shown) };
}

type FactsOfOccurrence = Omit<WebhookEventFacts, keyof Place> & { readonly subject: string };

function factsOf(
  occurrence: QueueOccurrence,
  queue: QueueSnapshot,
  told: Told,
  concluded: (entry: Entry) => string | null,
): FactsOfOccurrence {
  switch (occurrence.type) {
    case 'queue_paused': {
      const { from, to: state, actor } = occurrence;
      const { pauseReason: reason } = queue.settings;
      const by = actor === null ? '' : ` by ${actor}`;
      const why = reason === null ? '' : `: ${reason}`;
      const message = `The queue of ${queue.branch} is ${state}${by}${why}. No test starts until somebody resumes the queue.`;
      return { subject: '', pullRequest: null, state, from, reason, actor, message };
    }
    case 'queue_red': {
      const red = { subject: '', pullRequest: null, state: 'red', from: null, actor: null };
      if (occurrence.isWrongTree) {
        const message = `${occurrence.why}. The queue of ${queue.branch} is paused: restore the tested content, then resume the queue.`;
        return { ...red, reason: 'wrong_tree', message };
      }
      const why = occurrence.why === null ? 'fails its own tests' : `fails: ${occurrence.why}`;
      const message = `${queue.branch} ${why}. Only urgent pull requests are tested until it passes. Fix ${queue.branch}.`;
      return { ...red, reason: null, message };
    }
    default:
      return factsOfMove(occurrence, queue, told, concluded);
  }
}

type Move = Extract<QueueOccurrence, { readonly entryId: string }>;

function factsOfMove(
  { type, entryId, from, to: state, reason, actor }: Move,
  { branch }: QueueSnapshot,
  { entries, pullRequests }: Told,
  concluded: (entry: Entry) => string | null,
): FactsOfOccurrence {
  const entry = entries.find(({ id }) => id === entryId);
  const pullRequest = entry === undefined ? null : (pullRequests.get(entry.number) ?? null);
  // If the entry moved on in the same decision, the event of its later change describes the entry.
  const said = entry?.state === state ? concluded(entry) : null;
  const message = said ?? usually(type, branch, actor);
  return { subject: ` entry ${entryId}`, pullRequest, state, from, reason, actor, message };
}

function usually(type: Move['type'], branch: string, actor: string | null): string {
  const by = actor === null ? '' : ` by ${actor}`;
  switch (type) {
    case 'submitted':
      return `Submitted${by} to the queue of ${branch}.`;
    case 'testing':
      return `Its test for ${branch} has started.`;
    case 'sent_back':
      return `Failed. See why, push a fix, then submit it again.`;
    case 'merged':
      return `Merged into ${branch}.`;
    case 'cancelled':
      return `Removed from the queue of ${branch}${by}. Submit it again to merge it.`;
    default:
      return assertNever(type);
  }
}
