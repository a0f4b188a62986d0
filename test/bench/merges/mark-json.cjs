// Gives JSON a frame of its own in profiles: without it, its time is that of whoever calls it.
for (const name of ['parse', 'stringify']) {
  const own = JSON[name];
  JSON[name] = (...given) => own(...given);
}
