import type { IncomingMessage } from 'node:http';
import { type GitAnswer, type GitRequest, serveRepository, said, unauthorized } from '../forge/git-http';
import { pushRefusal, rulesFor } from './branch-rules';
import { noticeBranches } from './branches';
import { levelOf, mayKnow, type ApiCaller } from './issued-tokens';
import { readPushCommands } from '../forge/push-commands';
import { SIGNED_ONLY, SIGNERS, signersOf } from '../forge/signatures';
import { FORWARD_ONLY, NO_WORKFLOWS, REFUSALS } from './push-hook';
import type { GitHubState } from './state';

/** Serves git to callers with access. Afterwards handles the branches that a push moved. */
export async function serveGit(
  state: GitHubState,
  caller: ApiCaller,
  request: GitRequest,
  message: IncomingMessage,
  body: Buffer,
): Promise<GitAnswer> {
  const repository = state.findRepository(request.owner, request.name);
  if (caller.type === 'anonymous' && (repository?.private ?? true)) return unauthorized('GitHub');
  if (repository === null || !mayKnow(caller, repository)) return said(404, 'Repository not found.');
  const level = levelOf(caller, repository, 'contents');
  if (level === 'none') return said(403, 'Write access to repository not granted.');
  if (request.service === 'upload-pack') return serveRepository(repository.world.bare, request, message, body, {});
  if (caller.type === 'anonymous' || caller.type === 'app') return unauthorized('GitHub');
  if (level === 'read') return said(403, 'Write access to repository not granted.');
  const commands = readPushCommands(body, message.headers['content-encoding']);
  const refusals = commands.flatMap(({ ref, after }) =>
    pushRefusal(repository, ref, after, caller.account).map((text) => `${ref}\t${text}`),
  );
  const rulesOfRef = (ref: string) => rulesFor(repository, ref.replace(/^refs\/heads\//, ''), caller.account);
  const refs = commands.map(({ ref }) => ref);
  const forwardOnly = refs.filter((ref) => rulesOfRef(ref).length > 0);
  const signedOnly = refs.filter((ref) => rulesOfRef(ref).some(({ signatures }) => signatures));
  const answer = await serveRepository(repository.world.bare, request, message, body, {
    [REFUSALS]: refusals.join('\n'),
    [FORWARD_ONLY]: forwardOnly.join('\n'),
    [SIGNED_ONLY]: signedOnly.join('\n'),
    [SIGNERS]: signersOf(state.signingKeys),
    [NO_WORKFLOWS]: levelOf(caller, repository, 'workflows') === 'write' ? '' : 'yes',
  });
  if (request.path === '/git-receive-pack') noticeBranches(state, repository, caller.account);
  return answer;
}
