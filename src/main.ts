import { runMergeQueue } from './run-merge-queue';

void runMergeQueue();
