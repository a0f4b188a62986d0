import { describeFamily } from '../support/family';

describeFamily('contract-git');
