import { describeFamily } from '../support/family';

describeFamily('integration-statements');
