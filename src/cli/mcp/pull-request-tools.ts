import type { StoryAnswer } from '../picture-answers';
import { quotedSentence } from './others-text';
import { aboutPullRequest, PULL_REQUEST, readingTool, takeOf, type Tool } from './tool';

const MOST_ITEMS = 100;
const LATEST = 5;

const explain = readingTool({
  name: 'explain_pull_request',
  title: 'Explain a pull request',
  description:
    'Explains the state of a pull request in the merge queue: what it waits for, or why it failed and what to do. The answer has the forecast, failed statuses, failed tests, and where the time went.',
  input: PULL_REQUEST,
  async work(asked, { api }) {
    const story = await api.post<StoryAnswer>('getPullRequestStory', aboutPullRequest(asked));
    const { items, ...rest } = story;
    const evidence = items.find((item) => item.evidence !== null)?.evidence ?? null;
    return { data: { ...rest, evidence, latestItems: items.slice(0, LATEST) }, sentence: sentenceOf(story) };
  },
});

const story = readingTool({
  name: 'get_pull_request_story',
  title: 'Story of a pull request',
  description:
    'The timeline of a pull request in the merge queue, newest first. Each item has a sentence, its author, the test run with its base, and failed statuses.',
  input: { ...PULL_REQUEST, take: takeOf(MOST_ITEMS, 30, 'items') },
  async work({ take, ...asked }, { api }) {
    const found = await api.post<StoryAnswer & { readonly hasMore: boolean }>(
      'getPullRequestStory',
      aboutPullRequest(asked),
    );
    const items = found.items.slice(0, take);
    const hasMore = found.hasMore || items.length < found.items.length;
    return {
      data: { ...found, items, hasMore },
      sentence: `${sentenceOf(found)} The last ${items.length} items follow.`,
    };
  },
});

export const PULL_REQUEST_TOOLS: readonly Tool[] = [explain, story];

function sentenceOf({ pullRequest, waitingFor, message }: StoryAnswer): string {
  const { prNumber, state, eta } = pullRequest;
  const why = waitingFor ?? message;
  return [
    `#${prNumber} is ${state ?? 'in a state that this client does not know'}.`,
    ...(why === null ? [] : [`The queue says: ${quotedSentence(why)}`]),
    ...(eta === null
      ? []
      : [`The pull request is expected to end about ${eta.p50}, in nine of ten cases by ${eta.p90}.`]),
  ].join(' ');
}
