import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { memoryHostWorld } from './hosts';

describeCodeHostContract('The memory host', memoryHostWorld);
