import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { gitLabWorld } from './gitlab-host';

// The git host builds the candidates of the GitLab host, and the suite of the git host runs the complete contract.
describeCodeHostContract('The GitLab host', gitLabWorld, { candidates: ['squash'], letterCase: 'ignored' });
