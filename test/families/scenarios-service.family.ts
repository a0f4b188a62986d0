import { describeFamily } from '../support/family';

describeFamily('scenarios-service');
