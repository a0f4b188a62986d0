// Everything that the sample needs when it runs. The command loads this file with `sampleWork()`.
export { givenServiceUrl } from '../../platform/config/client-settings';
export { readConfig } from '../../platform/config/read-config';
export { withLocalService } from './local-service';
export { removeSample } from './remove-sample';
export { runSample } from './run-sample';
