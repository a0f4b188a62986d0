import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { ServiceProcesses } from '../../platform/health/service-processes';
import { Background } from '../../platform/lifecycle/background';
import { toldCheckMode, chooseConfinement, type CheckMode, lockDataDirectory } from './choose-confinement';

/** Whether this process runs checks. Found out once, because the trial starts a few processes. */
@Injectable()
export class CheckModes {
  private chosen: Promise<CheckMode> | undefined;
  private known: CheckMode = { type: 'off' };

  constructor(
    private readonly config: Config,
    private readonly background: Background,
    private readonly processes: ServiceProcesses,
  ) {}

  /** The first call tries what this machine allows. */
  choose(): Promise<CheckMode> {
    this.chosen ??= this.tryOut();
    return this.chosen;
  }

  /** Off until `choose` has ended. */
  get present(): CheckMode {
    return this.known;
  }

  private async tryOut(): Promise<CheckMode> {
    // The doctor changes nothing.
    if (this.background.isOn) await lockDataDirectory(this.config);
    this.known = await chooseConfinement(this.config);
    this.processes.tell({ checks: toldCheckMode(this.known) });
    return this.known;
  }
}
