import { answerJobs } from '../workers';
import { runSaturated } from './saturated-queue';

answerJobs(runSaturated);
