import { viewFromOutside } from '../../../src/modules/doctor/view-from-outside';
import type { ViewAsked } from './outside';

/** Prints the doctor's findings from outside, for a test that sets the wait. */
async function printView(): Promise<void> {
  const { url, token, patience } = JSON.parse(process.argv[2] ?? '') as ViewAsked;
  console.log(JSON.stringify(await viewFromOutside({ url, token }, new Date(), patience)));
}

void printView();
