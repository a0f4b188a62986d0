import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { giteaWorld } from './gitea-host';

// The git host builds the candidates of the Gitea host, and the suite of the git host runs the complete contract.
describeCodeHostContract('The Gitea host', giteaWorld, { candidates: ['squash'], letterCase: 'ignored' });
