import 'reflect-metadata';
import { runMergeQueue } from '../../../src/run-merge-queue';
import { SimulatedHostModule } from './remote-host';

/** Starts the service as in a deployment, with the simulated host. */
void runMergeQueue({ extensions: [SimulatedHostModule] });

// This process ends together with the benchmark, because nobody else would stop it when the benchmark is killed.
process.on('disconnect', () => process.exit(0));
process.channel?.unref();
