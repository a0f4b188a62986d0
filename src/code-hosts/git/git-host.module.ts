import { Module } from '@nestjs/common';
import { CheckModes } from './check-modes';
import { CheckStore } from './check-runner/check-store';
import { CheckRunner } from './check-runner/check-runner';
import { CheckRuns } from './check-runner/check-runs';
import { CloneUpkeep } from './clone-upkeep';
import { GitHostAdapter } from './git-host.adapter';
import { GitHosts } from './git-hosts';

/** Hosts of kind `git`, and the clones for hosts of other kinds. */
@Module({
  providers: [GitHosts, GitHostAdapter, CheckModes, CheckStore, CheckRuns, CheckRunner, CloneUpkeep],
  exports: [GitHosts],
})
export class GitHostModule {}
