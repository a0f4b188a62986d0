// What `sluice verify` needs, loaded when it runs.
export { isStatementFile, KEYS_FILE } from '../attestations/statement/bundle-files';
export { keysInFile, listedKeysIn, withRotated, type TrustedKeys } from '../attestations/statement/trusted-keys';
export {
  checkBranch,
  type CheckedBranch,
  type CheckedCommit,
  type ProveTree,
} from '../attestations/verify/check-branch';
export { openStatement, type OpenedStatement } from '../attestations/verify/opened-statements';
export { ProofRefused, ProofRepository } from '../code-hosts/git/proof/proof-repository';
