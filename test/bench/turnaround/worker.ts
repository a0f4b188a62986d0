import { answerJobs } from '../workers';
import { play } from './play';

answerJobs(play);
