import type { Tx } from '../../platform/database/prisma.service';
import { statementsIn } from '../../platform/database/statements';
import { appendWebhookEvents, isAnybodyTold } from './append-events';
import { GATHERED, type TestOfWebhook, type WebhookEvent, type WebhookEventFacts } from './webhook-event';

/** A change of one test, as the transaction that writes the change describes it. */
export type TestOccurrence = {
  readonly testCaseId: string;
  readonly reason: string;
} & (
  | { readonly type: 'test_status_changed'; readonly from: string; readonly to: string }
  | {
      readonly type: 'quarantine_changed';
      readonly quarantined: boolean;
      /** The name of a token; null for the service itself. */
      readonly actor: string | null;
    }
);

/** Stores webhook events about tests. The transaction locks the rows of the tests, which keeps the order of events. */
export async function appendTestEvents(
  tx: Tx,
  repositoryId: string,
  occurrences: readonly TestOccurrence[],
  at: Date,
): Promise<number> {
  const statements = statementsIn(tx);
  const types = [...new Set(occurrences.map(({ type }) => type))];
  if (!(await isAnybodyTold(statements, repositoryId, types))) return 0;
  const { host, owner, name, organization } = await tx.repository.findUniqueOrThrow({
    where: { id: repositoryId },
    select: { host: true, owner: true, name: true, organization: { select: { slug: true } } },
  });
  const tests = await tx.testCase.findMany({
    where: { id: { in: occurrences.map(({ testCaseId }) => testCaseId) } },
    select: { id: true, name: true, filePath: true, codeowners: true },
  });
  const byId = new Map(tests.map(({ filePath: file, ...test }) => [test.id, { ...test, file }]));
  const place = { organization: organization.slug, repo: { host, owner, name }, targetBranch: null, pullRequest: null };
  const known = occurrences.filter(({ testCaseId }) => byId.has(testCaseId));
  const events = known.map((occurrence): WebhookEvent => {
    const test = byId.get(occurrence.testCaseId)!;
    const { type, reason } = occurrence;
    const facts = { ...place, test, reason, ...changeOf(occurrence, test) };
    const subjects = { subject: `test ${test.id}`, gatheredIn: `${GATHERED}${repositoryId}` };
    return { type, at, repositoryId, branch: null, ...subjects, isForChats: isWorthAChat(occurrence), facts };
  });
  return appendWebhookEvents(statements, events);
}

/**
 * Whether the event goes to chats. A chat is notified of a test status only when the test breaks, because a flaky or
 * healthy test can wait until somebody looks.
 */
function isWorthAChat(occurrence: TestOccurrence): boolean {
  return occurrence.type === 'quarantine_changed' || occurrence.to === 'broken';
}

type FactsOfChange = Pick<WebhookEventFacts, 'state' | 'from' | 'actor' | 'message'>;

function changeOf(occurrence: TestOccurrence, { name }: TestOfWebhook): FactsOfChange {
  if (occurrence.type === 'test_status_changed') {
    const { from, to, reason } = occurrence;
    const wayOut = to === 'healthy' ? '' : ' Fix it, or quarantine it until somebody does.';
    return { state: to, from, actor: null, message: `The test ${name} is ${to}, it was ${from}: ${reason}.${wayOut}` };
  }
  const { quarantined, actor, reason } = occurrence;
  if (quarantined) {
    const message = `The test ${name} is quarantined: ${reason}. Its failures are ignored until the quarantine ends.`;
    return { state: 'quarantined', from: 'not_quarantined', actor, message };
  }
  const message = `The test ${name} is not quarantined any more: ${reason}. Its failures count again.`;
  return { state: 'not_quarantined', from: 'quarantined', actor, message };
}
