import { answerJobs } from '../../bench/workers';
import { explorePart } from './variants';

answerJobs(explorePart);
