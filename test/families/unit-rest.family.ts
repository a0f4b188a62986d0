import { describeFamily } from '../support/family';

describeFamily('unit-rest');
