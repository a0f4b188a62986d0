import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { gitHubWorld } from './github-world';

describeCodeHostContract('The GitHub host', gitHubWorld);
