/**
 * Handlers require capabilities, and a role is a set of capabilities. This way, a new role does not change any handler.
 */
export type Capability = 'read' | 'upload' | 'report_status' | 'submit' | 'administer';

interface RoleDefinition {
  readonly can: readonly Capability[];
  /** A text for people who choose a role. */
  readonly help: string;
}

/** The roles of tokens. `status` does not include `submit`, and `submit` does not include `status`. */
export const ROLES = {
  read: { can: ['read'], help: 'read everything of the organization' },
  ci: { can: ['read', 'upload'], help: 'as read, and upload test results and impacted targets' },
  status: { can: ['read', 'upload', 'report_status'], help: 'as ci, and report statuses of commits' },
  submit: {
    can: ['read', 'upload', 'submit'],
    help: 'as ci, and submit, cancel and restart pull requests and link tickets',
  },
  admin: { can: ['read', 'upload', 'report_status', 'submit', 'administer'], help: 'everything' },
} as const satisfies Record<string, RoleDefinition>;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[];

/**
 * The version of `ROLES`, stored with every new token. A token from a version of Sluice that did not store it counts as
 * version 1.
 */
export const ROLES_VERSION = 2;

/**
 * The capabilities of a stored token. In version 1 of the roles, `submit` could also report statuses: tokens with that
 * version keep the capability. An unknown role has no capabilities.
 */
export function capabilitiesOf(role: string, version: number): readonly Capability[] {
  const known = ROLE_NAMES.find((name) => name === role);
  if (known === undefined) return [];
  const { can } = ROLES[known];
  return known === 'submit' && version < ROLES_VERSION ? [...can, 'report_status'] : can;
}

/** Whether a token of an earlier version has more capabilities than its role has now. */
export function isWiderThanRole(role: string, version: number): boolean {
  const now = capabilitiesOf(role, ROLES_VERSION);
  return capabilitiesOf(role, version).some((capability) => !now.includes(capability));
}

export function rolesWith(capability: Capability): readonly Role[] {
  return ROLE_NAMES.filter((role) => capabilitiesOf(role, ROLES_VERSION).includes(capability));
}
