/** Tests that only `npm run test:certify` plays. */
export function inWholeCertification(declare: () => void): void {
  if (process.env.SLUICE_TEST_CERTIFY === 'whole') declare();
}
