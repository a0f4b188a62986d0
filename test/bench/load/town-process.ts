import { Town, type TownPlan, type TownReport } from './town';

export type Told =
  | { readonly type: 'open'; readonly plan: TownPlan }
  | { readonly type: 'submits'; readonly perSecond: number }
  | { readonly type: 'report' };

let town: Town | null = null;

process.on('message', (told: Told) => {
  void follow(told).then((report) => process.send!(report));
});
process.on('disconnect', () => process.exit(0));

async function follow(told: Told): Promise<TownReport | null> {
  if (told.type === 'open') {
    town = new Town(told.plan);
    await town.listen();
    return null;
  }
  if (told.type === 'submits') {
    if (told.perSecond > 0 && isFirst()) void town!.lookAround();
    town!.submits(told.perSecond);
    return null;
  }
  return town!.takeReport();
}

let isLooking = false;

function isFirst(): boolean {
  const wasLooking = isLooking;
  isLooking = true;
  return !wasLooking;
}
