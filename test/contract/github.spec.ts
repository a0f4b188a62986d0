import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { gitHubWorld } from './github-host';

// The git host builds the candidates, and its own suite runs the complete contract.
describeCodeHostContract('The GitHub host', gitHubWorld, { candidates: ['squash'], letterCase: 'ignored' });
