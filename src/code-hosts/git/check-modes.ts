import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { ServiceProcesses } from '../../platform/health/service-processes';
import { Background } from '../../platform/lifecycle/background';
import { toldCheckMode, chooseConfinement, type CheckMode, lockDataDirectory } from './choose-confinement';

/**
 * Finds out whether this process runs checks, and how. The trial on this machine runs only once, because it starts a
 * few processes.
 */
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

  /** The mode, which is off until `choose` has ended. */
  get present(): CheckMode {
    return this.known;
  }

  private async tryOut(): Promise<CheckMode> {
    // The data directory is not locked for the doctor, which changes nothing.
    if (this.background.isOn) await lockDataDirectory(this.config);
    this.known = await chooseConfinement(this.config);
    this.processes.tell({ checks: toldCheckMode(this.known) });
    return this.known;
  }
}
