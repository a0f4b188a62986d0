import type { QueueSettings } from '../../../src/engine/model';
import type { LineDepth } from '../../../src/engine/vocabulary';
import type { Dice } from '../oracle/random';
import { DAY_MINUTES, type DayPlan, type Deed } from './plan';

/**
 * The modes of a day, which say how its queues schedule. With `switching`, somebody changes the scheduling while the
 * queues work.
 */
export const DAY_MODES = ['in_order', 'flow', 'lanes', 'switching'] as const;
export type DayMode = (typeof DAY_MODES)[number];

const FLOW = { scheduling: 'flow', canOptimisticallyMerge: true } as const;

/** The plan of the day, with its queues in the given mode. */
export function inMode(plan: DayPlan, mode: DayMode, dice: Dice): DayPlan {
  const lineDepth = dice.pick<LineDepth>(['full', 'full', 'by_chance']);
  switch (mode) {
    case 'in_order':
      return { ...staying(plan), mode: 'single', settings: { ...plan.settings, lineDepth } };
    case 'lanes':
      return { ...staying(plan), mode: 'parallel', settings: { ...plan.settings, lineDepth } };
    case 'flow': {
      const { deeds } = staying(plan);
      return { ...plan, mode: 'single', settings: { ...plan.settings, ...FLOW }, deeds: deeds.map(fittingFlow) };
    }
    case 'switching': {
      const deeds = [...plan.deeds, ...drawSwitches(dice)].sort((a, b) => a.atMinute - b.atMinute);
      return { ...plan, settings: { ...plan.settings, lineDepth }, deeds };
    }
  }
}

function staying(plan: DayPlan): DayPlan {
  return { ...plan, deeds: plan.deeds.filter(({ type }) => type !== 'mode') };
}

/** The deed without the settings that flow scheduling does not allow. */
function fittingFlow(deed: Deed): Deed {
  if (deed.type !== 'settings') return deed;
  const settings: Partial<QueueSettings> = { ...deed.settings };
  return { ...deed, settings: { ...settings, ...('canOptimisticallyMerge' in settings && FLOW) } };
}

/** Switches are frequent, so that they meet every other kind of event. */
function drawSwitches(dice: Dice): readonly Deed[] {
  return Array.from({ length: 2 + dice.below(8) }, (): readonly Deed[] => {
    const atMinute = dice.throw() * DAY_MINUTES;
    const switched: Deed = { type: 'scheduling', scheduling: dice.pick(['flow', 'flow', 'in_order']), atMinute };
    const lineDepth = dice.pick<LineDepth>(['full', 'by_chance']);
    const deeper: Deed = { type: 'settings', settings: { lineDepth }, atMinute: dice.throw() * DAY_MINUTES };
    return dice.happens(0.3) ? [switched, deeper] : [switched];
  }).flat();
}
