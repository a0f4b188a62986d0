/* Find: marks the matches, and shows position, reason and expected time of the first match. */
const search = $('[data-search]');
let found = [];
function find(text) {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  $$('.hit').forEach((e) => e.classList.remove('hit'));
  const matches = (e) => words.every((word) => e.dataset.find.toLowerCase().includes(word));
  // A typed number means this pull request, not every title that contains the digits.
  const exact = $$('[data-number]').filter(
    (e) => `#${e.dataset.number}` === text.trim() || e.dataset.number === text.trim(),
  );
  found = words.length === 0 ? [] : exact.length > 0 ? exact : $$('[data-find]').filter(matches);
  found.slice(0, 50).forEach((e) => e.classList.add('hit'));
  const first = found.find((e) => e.dataset.answer) ?? found[0];
  if (words.length === 0) say('');
  else if (!first) say(`Nothing on this page matches “${text.trim()}”. Press Enter to search the service.`);
  else say(`${found.length > 1 ? `${found.length} match. ` : ''}${first.dataset.answer || first.dataset.find}`);
}
search?.addEventListener('input', () => find(search.value));
search?.form.addEventListener('submit', (event) => {
  if (found.length === 0) return;
  event.preventDefault();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  found[0].scrollIntoView({ block: 'center', behavior: still ? 'auto' : 'smooth' });
  found[0].focus({ preventScroll: true });
});
