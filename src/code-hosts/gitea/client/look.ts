import { HostUnavailable } from '../../../domain/code-host.port';

/** The answer, or in words why there is none. For who only says what was seen. */
export async function look<Answer extends { readonly type: string }>(
  ask: () => Promise<Answer>,
): Promise<Extract<Answer, { type: 'answered' }> | string> {
  try {
    const answer = await ask();
    if (answer.type === 'answered') return answer as Extract<Answer, { type: 'answered' }>;
    return (answer as Answer & { message?: string }).message ?? 'it was refused';
  } catch (error) {
    if (error instanceof HostUnavailable) return error.message;
    throw error;
  }
}
