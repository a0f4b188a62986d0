import { describeFamily } from '../support/family';

describeFamily('unit-test-health');
