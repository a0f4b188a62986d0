import { z } from 'zod';
import { CliError } from '../cli-error';
import type { PullRequestAnswer, QueueAnswer } from '../service-answers';
import { quotedSentence } from './others-text';
import {
  aboutPullRequest,
  aboutQueue,
  changingTool,
  PULL_REQUEST,
  QUEUE,
  type Service,
  type Tool,
  type ToolAnswer,
} from './tool';

const PRIORITY = z
  .union([z.enum(['urgent', 'high', 'medium', 'low']), z.int().min(0)])
  .describe(
    'urgent (0), high (10), medium (100), low (200) or a number; lower numbers are tested first. urgent is tested at once at the head of the queue, and tests behind it start again.',
  );

const HEAD = z
  .string()
  .regex(/^[0-9a-fA-F]{40}$/)
  .describe('The expected head commit, 40 hex digits: if the head has changed, nothing is submitted.');

const submit = changingTool(
  {
    name: 'submit_pull_request',
    title: 'Submit a pull request',
    description:
      'Submits a pull request to the merge queue: it is tested together with the pull requests ahead of it, and merged when the tests pass. A failed pull request is tried again. A queued pull request keeps its place; only its priority and batching change.',
    needs: 'submit',
    input: {
      ...PULL_REQUEST,
      priority: PRIORITY.optional(),
      no_batch: z.boolean().optional().describe('Whether to test the pull request alone, never in a batch.'),
      dry_run: z.boolean().optional().describe('Whether to test the pull request without merging it.'),
      expected_head: HEAD.optional(),
    },
    work({ priority, no_batch, dry_run, expected_head, ...asked }, service) {
      const options = { priority, noBatch: no_batch, dryRun: dry_run, expectedHeadSha: expected_head };
      return changed(service, 'submitPullRequest', { ...aboutPullRequest(asked), ...options });
    },
  },
  { destructive: false, idempotent: false },
);

const cancel = changingTool(
  {
    name: 'cancel_pull_request',
    title: 'Cancel a pull request',
    description: 'Removes a pull request from the merge queue. Its tests stop; tests built on it start again.',
    needs: 'submit',
    input: PULL_REQUEST,
    work: (asked, service) => changed(service, 'cancelPullRequest', aboutPullRequest(asked)),
  },
  { destructive: true, idempotent: true },
);

const restart = changingTool(
  {
    name: 'restart_tests',
    title: 'Test a pull request again',
    description: 'Discards the current test run of a pull request, and starts the test run again.',
    needs: 'submit',
    input: PULL_REQUEST,
    work: (asked, service) => changed(service, 'restartTestsOnPullRequest', aboutPullRequest(asked)),
  },
  { destructive: true, idempotent: false },
);

const setPriority = changingTool(
  {
    name: 'set_priority',
    title: 'Set the priority of a queued pull request',
    description:
      'Changes the priority of a pull request that is in the merge queue. A pull request that is not in the queue is not submitted.',
    needs: 'submit',
    input: { ...PULL_REQUEST, priority: PRIORITY },
    async work({ priority, ...asked }, service) {
      const request = aboutPullRequest(asked);
      const queued = await service.api.post<PullRequestAnswer>('getSubmittedPullRequest', request);
      if (!queued.isCurrentlySubmittedToQueue) throw notQueued(queued);
      // Submits the head that the agent has read. For a newer head, the agent must read the pull request again.
      return changed(service, 'submitPullRequest', { ...request, priority, expectedHeadSha: queued.prSha });
    },
  },
  { destructive: false, idempotent: true },
);

const pause = changingTool(
  {
    name: 'pause_queue',
    title: 'Pause a merge queue',
    description: 'Stops a merge queue for everybody: no test run starts and nothing merges until it is resumed.',
    needs: 'administer',
    input: { ...QUEUE, reason: z.string().min(1).max(200).describe('The reason, shown to everybody who waits.') },
    work: ({ reason, ...queue }, service) => steered(service, queue, { state: 'paused', pauseReason: reason }),
  },
  { destructive: true, idempotent: true },
);

const resume = changingTool(
  {
    name: 'resume_queue',
    title: 'Resume a merge queue',
    description: 'Lets a paused or draining merge queue test and merge again.',
    needs: 'administer',
    input: QUEUE,
    work: (queue, service) => steered(service, queue, { state: 'running' }),
  },
  { destructive: false, idempotent: true },
);

export const CHANGING_TOOLS: readonly Tool[] = [submit, cancel, restart, setPriority, pause, resume];

async function changed({ api }: Service, operation: string, request: object): Promise<ToolAnswer> {
  const data = await api.post<PullRequestAnswer>(operation, request);
  const waits = data.waitingFor === null ? '' : ` The queue says: ${quotedSentence(data.waitingFor)}`;
  return { data, sentence: `Done. #${data.prNumber} is ${data.state} with priority ${data.priorityName}.${waits}` };
}

async function steered({ api }: Service, queue: Parameters<typeof aboutQueue>[0], to: object): Promise<ToolAnswer> {
  const data = await api.post<QueueAnswer>('updateQueue', { ...aboutQueue(queue), ...to });
  return { data, sentence: `Done. The queue is ${data.state}.` };
}

function notQueued({ prNumber, state }: PullRequestAnswer): CliError {
  return new CliError(`#${prNumber} is ${state}: it is not in the queue, so it has no priority to change.`, {
    code: 'PR_NOT_IN_ACTIVE_STATE',
    next: 'Submit it with submit_pull_request, which takes a priority.',
  });
}
