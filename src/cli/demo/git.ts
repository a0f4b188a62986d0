import { outputOfProgram } from '../../platform/processes/run-program';
import { childEnvironment } from '../../platform/config/child-environment';

/** Runs git without the user's settings. Returns its output without the newline at the end. */
export async function git(folder: string, args: readonly string[], author = 'Sluice'): Promise<string> {
  const email = `${author.toLowerCase()}@demo.invalid`;
  const env = {
    ...childEnvironment(),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: author,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: author,
    GIT_COMMITTER_EMAIL: email,
  };
  return (await outputOfProgram('git', ['-C', folder, ...args], { env })).trimEnd();
}
