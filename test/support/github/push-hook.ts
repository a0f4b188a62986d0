import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGNED_ONLY, UNVERIFIED } from '../forge/signatures';

/**
 * A variable for the hook with lines of `ref<tab>text`. If a push contains the ref, the hook refuses the push with the
 * text.
 */
export const REFUSALS = 'SLUICE_DOUBLE_REFUSALS';
/** A variable for the hook that lists the refs that may only move forward, one per line. */
export const FORWARD_ONLY = 'SLUICE_DOUBLE_FORWARD_ONLY';
/** A variable for the hook, set when the pusher must not change workflow files. */
export const NO_WORKFLOWS = 'SLUICE_DOUBLE_NO_WORKFLOWS';

const SIGNATURE_CHECK = `
${UNVERIFIED}
if printf '%s\\n' "$${SIGNED_ONLY}" | grep -qxF "$1"; then
  found="$(unverified "$2" "$3")"
  if [ -n "$found" ]; then
    echo "error: GH013: Repository rule violations found for $1." >&2
    echo "- Commits must have verified signatures. Found 1 violation: \${found% yes}" >&2
    refused=1
  fi
fi`;

/** Refuses changed workflow files. A file does not count as changed if some branch has a file with the same content. */
const WORKFLOW_CHECK = `
if [ -n "$${NO_WORKFLOWS}" ]; then
  workflows() { git ls-tree -r "$1" -- .github/workflows/; }
  known="$(git for-each-ref --format='%(objectname)' refs/heads | while read -r tip; do workflows "$tip"; done)"
  changed="$(workflows "$3" | while IFS="$tab" read -r facts path; do
    printf '%s\\n' "$known" | grep -qxF "$facts$tab$path" || { echo "$path"; break; }
  done)"
  if [ -n "$changed" ]; then
    echo "refusing to allow a GitHub App to create or update workflow \\\`$changed\\\` without \\\`workflows\\\` permission" >&2
    refused=1
  fi
fi`;

/** Only the hook can see whether a push is a fast-forward, because only the hook has the pushed objects. */
const SCRIPT = `#!/bin/sh
refused=0
tab="$(printf '\\t')"
while IFS="$tab" read -r ref text; do
  if [ "$ref" = "$1" ]; then echo "$text" >&2; refused=1; fi
done <<END
$${REFUSALS}
END
case "$3" in 0000000000000000000000000000000000000000) exit $refused ;; esac
${WORKFLOW_CHECK}
${SIGNATURE_CHECK}
case "$2" in 0000000000000000000000000000000000000000) exit $refused ;; esac
for ref in $${FORWARD_ONLY}; do
  if [ "$ref" = "$1" ] && ! git merge-base --is-ancestor "$2" "$3"; then
    echo "error: GH006: Protected branch update failed for $1." >&2
    echo "error: Cannot force-push to this branch" >&2
    refused=1
  fi
done
exit $refused
`;

/** Installs the hook that refuses pushes like GitHub. */
export function installPushHook(bare: string): void {
  const hooks = join(bare, 'hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, 'update'), SCRIPT);
  chmodSync(join(hooks, 'update'), 0o755);
}
