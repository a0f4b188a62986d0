import { describeWalks } from './describe-walks';

describeWalks(['A queue setting', 'A CLI command']);
