/** What SLUICE_EXTENSIONS looks for. */
export { AcmeModule as extension } from './acme.module';
