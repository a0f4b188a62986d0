// Everything that a command needs to work on the database. Commands load this file with `databaseWork()`.
export { readAuditLog } from '../platform/audit/audit-log';
export { createOrganization, listOrganizations } from '../platform/auth/organizations';
export {
  createRepository,
  listRepositories,
  removeRepository,
  requireRepositories,
} from '../platform/auth/repositories';
export { rotateToken } from '../platform/auth/rotate-token';
export { createToken, listTokens, revokeToken } from '../platform/auth/tokens';
export { withDatabase } from './database-session';
