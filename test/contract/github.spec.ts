import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { gitHubWorld } from './github-host';

// The git host makes its candidates, and is held to all of it.
describeCodeHostContract('The GitHub host', gitHubWorld, { candidates: ['squash'], letterCase: 'ignored' });
