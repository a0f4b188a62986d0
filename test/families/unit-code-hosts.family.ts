import { describeFamily } from '../support/family';

describeFamily('unit-code-hosts');
