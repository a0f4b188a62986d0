// jest calls this filter with the paths of the spec files in a run. If the paths include all spec files of a family,
// the family's file runs instead. A spec file requested by its path runs alone.
const { join } = require('node:path');
const { familyIn, membersOf } = require('./families.cjs');

const ROOT = join(__dirname, '..');

module.exports = (paths) => {
  const asked = new Set(paths);
  const left = new Set(paths);
  for (const path of paths) {
    const family = familyIn(path);
    if (family === undefined) continue;
    const members = membersOf(family).map((spec) => join(ROOT, spec));
    const found = members.filter((member) => asked.has(member));
    if (found.length === members.length) for (const member of members) left.delete(member);
    else if (found.length > 0) left.delete(path);
  }
  return { filtered: [...left] };
};
