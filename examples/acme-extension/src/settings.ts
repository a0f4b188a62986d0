import { readExtensionSettings, setting } from '@sluice-queue/sluice';

/** SLUICE_EXT_ACME_HOTFIXES_PER_DAY */
export const settings = readExtensionSettings('acme', {
  hotfixesPerDay: setting.wholeNumber({ default: 3, from: 0, to: 100 }),
});
