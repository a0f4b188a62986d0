/** SLUICE_EXTENSIONS loads this name. */
export { AcmeModule as extension } from './acme.module';
