import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../../code-hosts/code-hosts.module';
import { TASK_HANDLERS, type TaskHandler } from './task';
import { AnswerCommentHandler } from './tasks/answer-comment.handler';
import { AnswerTriggerHandler } from './tasks/answer-trigger.handler';
import { CandidateStore } from './tasks/candidate.store';
import { CandidateBuilder } from './tasks/candidate-builder';
import { ComputeTargetsHandler } from './tasks/compute-targets.handler';
import { ComputedTargetsStore } from './tasks/computed-targets.store';
import { LandRunHandler } from './tasks/land-run.handler';
import { UpdatePullRequestViewHandler } from './tasks/update-pull-request-view.handler';
import { StartTestRunHandler } from './tasks/start-test-run.handler';
import { StopTestRunHandler } from './tasks/stop-test-run.handler';
import { TestingPullRequests } from './tasks/testing-pull-requests';
import { OutboxStore } from './outbox.store';
import { OutboxWorker } from './outbox.worker';

const HANDLERS = [
  StartTestRunHandler,
  StopTestRunHandler,
  LandRunHandler,
  ComputeTargetsHandler,
  UpdatePullRequestViewHandler,
  AnswerCommentHandler,
  AnswerTriggerHandler,
];

@Module({
  imports: [CodeHostsModule],
  providers: [
    OutboxStore,
    OutboxWorker,
    CandidateStore,
    CandidateBuilder,
    TestingPullRequests,
    ComputedTargetsStore,
    ...HANDLERS,
    { provide: TASK_HANDLERS, inject: HANDLERS, useFactory: (...handlers: TaskHandler[]) => handlers },
  ],
  exports: [OutboxWorker],
})
export class OutboxModule {}
