/** `retryLimit` of `acme` is SLUICE_EXT_ACME_RETRY_LIMIT. */
export function extensionVariable(extension: string, name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return `SLUICE_EXT_${extension}_${words}`.toUpperCase();
}
