import { type RefusedForm, textIn } from '../../form';
import { html, type Html } from '../../html';
import { askingForm, problemOf, textField } from '../../parts/forms';
import { may, type Visit } from '../../visit';

/** The form that creates a queue; null: the token may not create queues. */
export function newQueue(visit: Visit, refused: RefusedForm | null): Html | null {
  if (!may(visit, 'administer')) return null;
  const typed = refused?.typed;
  const body = html`${textField({
    ...{ id: 'queue-repo', name: 'repo', label: 'Repository', hint: 'host/owner/name', maxLength: 600 },
    ...{ value: textIn(typed, 'repo'), problem: problemOf(refused, 'repo', 'repo.host', 'repo.owner', 'repo.name') },
  })}
  ${textField({
    ...{ id: 'queue-branch', name: 'branch', label: 'Branch', hint: 'the target branch', maxLength: 255 },
    ...{ value: typed === undefined ? 'main' : textIn(typed, 'branch'), problem: problemOf(refused, 'branch') },
  })}
  ${textField({
    ...{ id: 'queue-statuses', name: 'requiredStatuses', label: 'Statuses that must pass', mayBeEmpty: true },
    ...{ hint: 'separated by commas; empty: the statuses in .sluice/sluice.yaml', maxLength: 2_000 },
    ...{ value: textIn(typed, 'requiredStatuses'), problem: problemOf(refused, 'requiredStatuses') },
  })}`;
  const words = { open: 'New queue…', button: 'Create the queue', tone: 'main' } as const;
  return askingForm({ action: '/ui/queues/create', hidden: {}, ...words, body }, refused);
}
