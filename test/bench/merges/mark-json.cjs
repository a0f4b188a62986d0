// Gives JSON its own frame in profiles. Otherwise its time would count for its caller.
for (const name of ['parse', 'stringify']) {
  const own = JSON[name];
  JSON[name] = (...given) => own(...given);
}
