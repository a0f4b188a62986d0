import { describeFamily } from '../support/family';

describeFamily('integration-outbox');
