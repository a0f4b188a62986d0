import type { RepositoryName } from '../../../platform/repository-name';
import type { TestDetails } from '../../../modules/test-health/http/details/dto/test-details.dto';
import { type RefusedForm, textIn } from '../../form';
import { html, type Html } from '../../html';
import { askingForm, choiceField, problemOf, textField } from '../../parts/forms';
import { repositoryText } from '../../parts/links';

const CHOICES = [
  ['always_quarantine', 'Always: its failures are ignored'],
  ['never_quarantine', 'Never: its failures count'],
  ['unspecified', 'Automatic: by its status and the settings'],
] as const;

/** Sets manually whether the failures of a test are ignored, with a reason for later readers. */
export function quarantineForm(
  repo: RepositoryName,
  { test, quarantine_history: [last] }: TestDetails,
  { isOpen, refused }: { readonly isOpen: boolean; readonly refused: RefusedForm | null },
): Html {
  const typed = refused?.typed;
  const setByHand = last?.quarantine_setting ?? 'unspecified';
  const asked = isOpen ? 'always_quarantine' : setByHand;
  const known = isOpen && test.status.value === 'flaky' ? 'known to be flaky' : '';
  const body = html`${choiceField({
    ...{ id: 'quarantine-setting', name: 'setting', label: 'Quarantine', choices: CHOICES },
    chosen: typed === undefined ? asked : textIn(typed, 'setting'),
  })}
  ${textField({
    ...{ id: 'quarantine-reason', name: 'reason', label: 'Why', hint: 'for later readers', maxLength: 1_000 },
    ...{ value: typed === undefined ? known : textIn(typed, 'reason'), problem: problemOf(refused, 'reason') },
  })}`;
  const hidden = { repo: repositoryText(repo), test: test.id };
  const words = { open: 'Quarantine…', button: 'Set quarantine', tone: undefined };
  return askingForm({ action: '/ui/tests/quarantine', hidden, ...words, isOpen, body }, refused);
}
