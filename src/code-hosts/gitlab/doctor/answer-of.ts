import { HostUnavailable } from '../../../domain/code-host.port';
import type { GitLabReply } from '../client/gitlab-answer';
import type { GitLabApi } from '../client/gitlab-api';

/** The answer, or in words why there is none. */
export async function answerOf(ask: () => ReturnType<GitLabApi['ask']>): Promise<GitLabReply | string> {
  try {
    const answer = await ask();
    return answer.type === 'answered' ? answer : answer.message;
  } catch (error) {
    if (error instanceof HostUnavailable) return error.message;
    throw error;
  }
}
