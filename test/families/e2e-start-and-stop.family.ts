import { describeFamily } from '../support/family';

describeFamily('e2e-start-and-stop');
