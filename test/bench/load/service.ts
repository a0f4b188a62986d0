import 'reflect-metadata';
import { runMergeQueue } from '../../../src/run-merge-queue';
import { SimulatedHostModule } from './remote-host';

/** The service as it is deployed, with the simulated host. */
void runMergeQueue({ extensions: [SimulatedHostModule] });

// A benchmark that is killed stops nobody.
process.on('disconnect', () => process.exit(0));
process.channel?.unref();
