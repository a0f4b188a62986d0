import { DEFAULT_SETTINGS, emptyQueue } from '../../../../test/support/engine-snapshots';
import type { Entry, QueueSnapshot } from '../../model';
import { code } from '../../wording/markdown';
import { missingFor } from './readiness';

describe('the sentence about missing impacted targets', () => {
  const pullRequest = { base: 'main', draft: false, head: 'abcdef0123456789', mergeability: 'mergeable' };
  const entry = { hasTargets: false, state: 'not_ready', pullRequest } as unknown as Entry;

  const said = (computedTargets: QueueSnapshot['computedTargets']) =>
    missingFor({ ...emptyQueue(DEFAULT_SETTINGS, null), mode: 'parallel', computedTargets }, entry, code);

  it('asks for an upload if the service computes no targets', () => {
    expect(said(undefined)).toEqual(['impacted targets must be sent for its head `abcdef01`']);
  });

  it('says that targets are being computed if the service computes them', () => {
    expect(said({ problem: null })).toEqual([
      'impacted targets of its head `abcdef01`, which are being computed from the files it changes',
    ]);
  });

  it('says why the targets cannot be computed, with two fixes, and quotes the error without Markdown', () => {
    expect(said({ problem: 'targets.@ada`<b> in a.yaml must be a glob (line 3).' })).toEqual([
      'impacted targets cannot be computed: `targets.@ada <b> in a.yaml must be a glob (line 3).` Fix this on `main` with a push or a pull request, or send targets for `abcdef01`',
    ]);
  });
});
