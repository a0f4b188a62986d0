import { answerJobs } from '../workers';
import { type ArrivingCourse, type ArrivingQueue, runArriving } from './arriving-queue';
import { type Course, runSaturated, type SaturatedQueue } from './saturated-queue';

answerJobs((job: ArrivingQueue | SaturatedQueue): ArrivingCourse | Course =>
  'arriving' in job ? runArriving(job) : runSaturated(job),
);
