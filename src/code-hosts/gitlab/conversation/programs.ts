/** Matches the logins that GitLab creates for project and group access tokens. */
const TOKEN_USER = /^(project|group)_\d+_bot(_|$|\d)/;

/** Whether the login belongs to a bot. `bots`: logins of further bots, in lower case. */
export function isGitLabProgram(login: string, bots: readonly string[]): boolean {
  return TOKEN_USER.test(login) || bots.includes(login.toLowerCase());
}
