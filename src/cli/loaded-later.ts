// Prisma and Nest take longer to load than most commands take in total. A command loads both when it runs, but not for
// its help.

export function databaseWork(): typeof import('./database-work') {
  return require('./database-work') as typeof import('./database-work');
}

/** Also loads the adapters of all code hosts. */
export function hostsWork(): typeof import('./hosts-ignoring-case') {
  return require('./hosts-ignoring-case') as typeof import('./hosts-ignoring-case');
}

export function sampleWork(): typeof import('./sample/sample-work') {
  return require('./sample/sample-work') as typeof import('./sample/sample-work');
}

export function verifyWork(): typeof import('./verify-work') {
  return require('./verify-work') as typeof import('./verify-work');
}

/** Also loads the tested adapters. */
export function certifyWork(): typeof import('./certify-work') {
  return require('./certify-work') as typeof import('./certify-work');
}
