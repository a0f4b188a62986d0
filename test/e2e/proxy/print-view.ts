import { viewFromOutside } from '../../../src/modules/doctor/view-from-outside';
import type { ViewAsked } from './outside';

/** Prints what the doctor finds from outside. The test chooses how long the doctor waits. */
async function printView(): Promise<void> {
  const { url, token, patience } = JSON.parse(process.argv[2] ?? '') as ViewAsked;
  console.log(JSON.stringify(await viewFromOutside({ url, token }, new Date(), patience)));
}

void printView();
