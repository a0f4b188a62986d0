import 'reflect-metadata';
import { runMergeQueue } from '../../../src/run-merge-queue';
import { SimulatedHostModule } from './remote-host';

/** The service as deployed, with the simulated host. */
void runMergeQueue({ extensions: [SimulatedHostModule] });

// When the benchmark is killed, nobody else stops this process.
process.on('disconnect', () => process.exit(0));
process.channel?.unref();
