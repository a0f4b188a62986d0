import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { giteaWorld } from './gitea-host';

// The git host makes its candidates, and is held to all of it.
describeCodeHostContract('The Gitea host', giteaWorld, { candidates: ['squash'], letterCase: 'ignored' });
