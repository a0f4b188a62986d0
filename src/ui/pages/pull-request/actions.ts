import type { PullRequestStory } from '../../../modules/views/story.dto';
import type { RefusedForm } from '../../form';
import { html, type Html } from '../../html';
import { actionButton, askingForm, priorityField } from '../../parts/forms';
import { repositoryText } from '../../parts/links';
import type { Scene } from '../../parts/scene';
import { may } from '../../visit';

export const PULL_REQUEST_FORMS = '/ui/pull-request';

/** The actions for a token that may submit, in the current state of the pull request. */
export function pullRequestActions(scene: Scene, story: PullRequestStory, refused: RefusedForm | null): Html | null {
  const { visit, repo, branch } = scene;
  const { prNumber: number, state, stateChangedAt } = story.pullRequest;
  if (!may(visit, 'submit') || state === 'merged') return null;
  const { attempt } = story;
  const hidden = { repo: repositoryText(repo), branch, number, attempt, since: stateChangedAt ?? '' };
  const form = (act: string) => ({ action: `${PULL_REQUEST_FORMS}/${act}`, hidden });
  if (story.concludedAt !== null) return html`<div class="acts">${submitAgain()}</div>`;
  return html`<div class="acts">
    ${state === 'testing' && actionButton({ ...form('restart'), button: 'Test again' })}
    ${state === 'pending' && actionButton({ ...form('promote'), button: 'Put first' })} ${changePriority()} ${takeOut()}
  </div>`;

  function submitAgain(): Html {
    const body = html`<p>The pull request is tested and merged with its current commits at the code host.</p>
      ${priorityField(visit, 'priority', 'medium (100), or the default of the queue', refused)}`;
    const words = { open: 'Submit again…', button: `Submit #${number}`, tone: 'main' } as const;
    return askingForm({ ...form('submit'), ...words, body }, refused);
  }

  function changePriority(): Html {
    const body = html`${priorityField(visit, 'priority', 'unchanged', refused)}`;
    return askingForm({ ...form('submit'), open: 'Priority…', button: 'Change the priority', body }, refused);
  }

  function takeOut(): Html {
    const body = html`<p>
      #${number} is removed from the queue without being merged. Pull requests tested on top of it are tested again
      without it. You can submit it again at any time.
    </p>`;
    const words = { open: 'Cancel…', button: `Cancel #${number}`, tone: 'danger' } as const;
    return askingForm({ ...form('cancel'), ...words, body }, refused);
  }
}
