// Modules for `sluice verify`, loaded when the command runs.
export { isStatementFile, KEYS_FILE } from '../modules/attestations/bundle-files';
export { keysInFile, listedKeysIn, withRotated, type TrustedKeys } from '../modules/attestations/trusted-keys';
export {
  checkBranch,
  type CheckedBranch,
  type CheckedCommit,
  type ProveTree,
} from '../modules/attestations/check-branch';
export { openStatement, type OpenedStatement } from '../modules/attestations/opened-statements';
export { ProofRefused, ProofRepository } from '../code-hosts/git/proof-repository';
