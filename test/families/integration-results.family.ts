import { describeFamily } from '../support/family';

describeFamily('integration-results');
