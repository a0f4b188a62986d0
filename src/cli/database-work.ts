// Everything that a command needs to work on the database. Commands load this file with `databaseWork()`.
export { revokeKey, rotateKey } from '../modules/attestations/change-keys';
export { readAuditLog } from '../platform/audit/audit-log';
export { createOrganization, listOrganizations } from '../platform/auth/organizations';
export {
  createRepository,
  listRepositories,
  removeRepository,
  requireRepositories,
} from '../platform/auth/repositories';
export { rotateToken } from '../platform/auth/rotate-token';
export { createSignInLink, signInLinkUrl } from '../platform/auth/sign-in-links';
export { createToken, listTokens, revokeToken } from '../platform/auth/tokens';
export { readConfig } from '../platform/config/read-config';
export { listServiceProcesses } from '../platform/health/service-processes';
export { withDatabase } from './database-session';
