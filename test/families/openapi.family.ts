import { describeFamily } from '../support/family';

describeFamily('openapi');
