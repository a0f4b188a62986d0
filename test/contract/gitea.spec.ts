import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { giteaWorld } from './gitea-host';

// The git host builds the candidates, and its own suite runs the complete contract.
describeCodeHostContract('The Gitea host', giteaWorld, { candidates: ['squash'], letterCase: 'ignored' });
