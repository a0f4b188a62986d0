import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { gitHubWorld } from './github-host';

// The git host builds the candidates of the GitHub host, and the suite of the git host runs the complete contract.
describeCodeHostContract('The GitHub host', gitHubWorld, { candidates: ['squash'], letterCase: 'ignored' });
