import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { gitLabWorld } from './gitlab-host';

// The git host makes its candidates, and is held to all of it.
describeCodeHostContract('The GitLab host', gitLabWorld, { candidates: ['squash'], letterCase: 'ignored' });
