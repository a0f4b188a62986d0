import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { gitLabWorld } from './gitlab-host';

// The git host builds the candidates, and its own suite runs the complete contract.
describeCodeHostContract('The GitLab host', gitLabWorld, { candidates: ['squash'], letterCase: 'ignored' });
