import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../code-hosts/code-hosts.module';
import { COMMAND_HANDLERS, type CommandHandler } from './command-handler';
import { AnswerCommentHandler } from './handlers/answer-comment.handler';
import { AnswerGestureHandler } from './handlers/answer-gesture.handler';
import { CandidateBook } from './handlers/candidate-book';
import { CandidateBuilder } from './handlers/candidate-builder';
import { LandRunHandler } from './handlers/land-run.handler';
import { ShowPullRequestHandler } from './handlers/show-pull-request.handler';
import { StartTestRunHandler } from './handlers/start-test-run.handler';
import { StopTestRunHandler } from './handlers/stop-test-run.handler';
import { TestingPullRequests } from './handlers/testing-pull-requests';
import { OrderBook } from './order-book';
import { OutboxWorker } from './outbox-worker';

const HANDLERS = [
  StartTestRunHandler,
  StopTestRunHandler,
  LandRunHandler,
  ShowPullRequestHandler,
  AnswerCommentHandler,
  AnswerGestureHandler,
];

@Module({
  imports: [CodeHostsModule],
  providers: [
    OrderBook,
    OutboxWorker,
    CandidateBook,
    CandidateBuilder,
    TestingPullRequests,
    ...HANDLERS,
    { provide: COMMAND_HANDLERS, inject: HANDLERS, useFactory: (...handlers: CommandHandler[]) => handlers },
  ],
  exports: [OutboxWorker],
})
export class OutboxModule {}
