import { answerJobs } from '../workers';
import { calibrate } from './calibration';

answerJobs(calibrate);
