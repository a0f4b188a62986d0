import { type Capability, ROLES, ROLE_NAMES } from '../../../src/platform/requests/roles';
import { sentence } from './reasons';
import { markdownTable, rowsByCode } from './table';

const CAPABILITIES = [
  'read',
  'upload',
  'report_status',
  'submit',
  'administer',
] as const satisfies readonly Capability[];

/** Roles with their capabilities. People write for whom a role is. */
export function rolesBlock(present: string): string {
  const known = rowsByCode(present);
  const rows = ROLE_NAMES.map((role) => [
    `\`${role}\``,
    ...CAPABILITIES.map((capability) => ((ROLES[role].can as readonly Capability[]).includes(capability) ? 'yes' : '')),
    sentence(ROLES[role].help),
    known.get(role)?.[CAPABILITIES.length + 2] ?? '',
  ]);
  return markdownTable(['Role', ...CAPABILITIES.map((name) => `\`${name}\``), 'May', 'For'], rows);
}
