// What `sluice verify` needs, loaded when it runs.
export { isStatementFile, KEYS_FILE } from '../modules/attestations/statement/bundle-files';
export {
  keysInFile,
  listedKeysIn,
  withRotated,
  type TrustedKeys,
} from '../modules/attestations/statement/trusted-keys';
export {
  checkBranch,
  type CheckedBranch,
  type CheckedCommit,
  type ProveTree,
} from '../modules/attestations/verify/check-branch';
export { openStatement, type OpenedStatement } from '../modules/attestations/verify/opened-statements';
export { ProofRefused, ProofRepository } from '../code-hosts/git/proof/proof-repository';
