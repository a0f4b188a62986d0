import { describeFamily } from '../support/family';

describeFamily('unit-platform');
