/* Filter: my pull requests only. */
function onlyMine() {
  const mineButton = $('[data-mine]');
  if (!mineButton) return;
  const on = mineButton.getAttribute('aria-pressed') !== 'true';
  mineButton.setAttribute('aria-pressed', String(on));
  filterMine(on);
}
function filterMine(on) {
  $$('tr[data-row], .sent > li').forEach((e) => {
    e.hidden = on && !e.classList.contains('is-mine');
  });
}
addEventListener('click', ({ target }) => target.closest?.('[data-mine]') && onlyMine());

/* Keyboard shortcuts, inactive while somebody types. `g` and a letter follows the link with that letter. */
let chord = '';
addEventListener('keydown', (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key === 'Escape' && search) {
    search.value = '';
    find('');
    search.blur();
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (chord === 'g') {
    chord = '';
    $$('a[data-key]')
      .find((link) => link.dataset.key === event.key)
      ?.click();
    return;
  }
  if (event.key === '/' && search) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === '?') $('[data-help-dialog]').showModal();
  else if (event.key === 'm') onlyMine();
  else if (event.key === 'g') chord = 'g';
  else if (event.key === 'j' || event.key === 'k') step(event.key === 'j' ? 1 : -1);
  else if (event.key === 'Enter' && document.activeElement?.matches('[data-row]')) {
    $('a', document.activeElement)?.click();
  }
});
function step(by) {
  const rows = $$('[data-row]').filter((e) => !e.hidden && e.offsetParent !== null);
  const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(document.activeElement) + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
