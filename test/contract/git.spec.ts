import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { gitHostWorld } from './hosts';

describeCodeHostContract('The git host on disk', gitHostWorld);
