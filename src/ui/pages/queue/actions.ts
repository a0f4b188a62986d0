import type { QueuePicture } from '../../../modules/views/queue-picture.dto';
import { type RefusedForm, textIn } from '../../form';
import { attributes, html, type Html } from '../../html';
import { type ActionForm, actionButton, askingForm, priorityField, problemOf, textField } from '../../parts/forms';
import { repositoryText } from '../../parts/links';
import type { Scene } from '../../parts/scene';
import { may, type Visit } from '../../visit';

/** The actions that the token allows in the current state of the queue. */
export function queueActions({ visit, repo, branch }: Scene, picture: QueuePicture, refused: RefusedForm | null): Html {
  const { state } = picture.conditions;
  const isHeld = state === 'paused' || state === 'draining';
  const draw: Drawing = {
    visit,
    formOf: (act) => ({ action: `/ui/queue/${act}`, hidden: { repo: repositoryText(repo), branch } }),
    refused,
  };
  const resume = () => actionButton({ ...draw.formOf('resume'), button: 'Resume', tone: 'main' });
  return html`${may(visit, 'submit') && submit(draw)}
  ${may(visit, 'administer') && [isHeld ? resume() : pause(draw), empty(draw)]}`;
}

interface Drawing {
  readonly visit: Visit;
  readonly formOf: (act: string) => Pick<ActionForm, 'action' | 'hidden'>;
  readonly refused: RefusedForm | null;
}

function submit({ visit, formOf, refused }: Drawing): Html {
  const typed = refused?.action === formOf('submit').action ? refused : null;
  const body = html`${textField({
      ...{ id: 'submit-number', name: 'number', label: 'Pull request', hint: 'its number', inputmode: 'numeric' },
      ...{ value: textIn(typed?.typed, 'number'), maxLength: 12, problem: problemOf(typed, 'number', 'pr.number') },
    })}
    ${priorityField(visit, 'submit-priority', 'medium (100)', typed)}
    <p class="check-line">
      <input
        type="checkbox"
        id="submit-dry"
        name="dryRun"
        value="yes"
        ${attributes({ checked: textIn(typed?.typed, 'dryRun') === 'yes' })}
      /><label for="submit-dry">Only test it, do not merge it</label>
    </p>`;
  return askingForm({ ...formOf('submit'), open: 'Submit…', button: 'Submit', tone: 'main', body }, refused);
}

function pause({ formOf, refused }: Drawing): Html {
  const typed = refused?.action === formOf('pause').action ? refused : null;
  const draining = textIn(typed?.typed, 'state') === 'draining';
  const body = html`${textField({
      ...{
        id: 'pause-reason',
        name: 'pauseReason',
        label: 'Why',
        hint: 'shown with every waiting pull request',
        maxLength: 200,
      },
      ...{ value: textIn(typed?.typed, 'pauseReason'), problem: problemOf(typed, 'pauseReason') },
    })}
    <div class="field">
      <label for="pause-state">How</label
      ><select id="pause-state" name="state">
        <option value="paused">Pause: no test starts, nothing merges</option>
        <option value="draining" ${attributes({ selected: draining })}>
          Drain: no test starts, passed pull requests merge
        </option>
      </select>
    </div>`;
  return askingForm({ ...formOf('pause'), open: 'Pause…', button: 'Pause the queue', body }, refused);
}

function empty({ formOf, refused }: Drawing): Html {
  const body = html`<p>
    Every pull request is removed from the queue without being merged, and has to be submitted again. Merges in progress
    continue. Pause the queue first if nothing should merge meanwhile.
  </p>`;
  const words = { open: 'Cancel all…', button: 'Cancel all', tone: 'danger' } as const;
  return askingForm({ ...formOf('empty'), ...words, body }, refused);
}
