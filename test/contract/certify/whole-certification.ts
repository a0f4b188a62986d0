/** Declares tests that run only in `npm run test:certify`. */
export function inWholeCertification(declare: () => void): void {
  if (process.env.SLUICE_TEST_CERTIFY === 'whole') declare();
}
