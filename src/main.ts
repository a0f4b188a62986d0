import './platform/config/source-maps';
import { runMergeQueue } from './run-merge-queue';

void runMergeQueue();
