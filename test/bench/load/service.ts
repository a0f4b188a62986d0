import 'reflect-metadata';
import { runMergeQueue } from '../../../src/run-merge-queue';
import { SimulatedHostModule } from './remote-host';

/** Starts the service as in a deployment, with the simulated host. */
void runMergeQueue({ extensions: [SimulatedHostModule] });

// When the benchmark is killed, nobody else stops this process.
process.on('disconnect', () => process.exit(0));
process.channel?.unref();
