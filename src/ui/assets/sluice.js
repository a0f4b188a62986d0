/* The small client: every page works without it. No framework, no inline handlers. */
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const root = document.documentElement;

/* Light and dark: the system's choice until somebody chooses. The service reads the cookie, so that no page flashes. */
$('[data-theme-toggle]')?.addEventListener('click', () => {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  document.cookie = `sluice_theme=${root.dataset.theme}; Path=/ui; Max-Age=31536000; SameSite=Lax`;
});

function say(text) {
  $('[data-announce]').textContent = text;
  const toast = $('[data-toast]');
  toast.textContent = text;
  toast.hidden = text === '';
}

/* Find: marks what matches, and answers "where, why, when" for the first one. */
const search = $('[data-search]');
let found = [];
function find(text) {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  $$('.hit').forEach((e) => e.classList.remove('hit'));
  const matches = (e) => words.every((word) => e.dataset.find.toLowerCase().includes(word));
  // Who writes a number means that pull request, not each whose title holds the digits.
  const exact = $$('[data-number]').filter(
    (e) => `#${e.dataset.number}` === text.trim() || e.dataset.number === text.trim(),
  );
  found = words.length === 0 ? [] : exact.length > 0 ? exact : $$('[data-find]').filter(matches);
  found.slice(0, 50).forEach((e) => e.classList.add('hit'));
  const first = found.find((e) => e.dataset.answer) ?? found[0];
  if (words.length === 0) say('');
  else if (!first) say(`Nothing on this page matches “${text.trim()}”. Enter asks the service.`);
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

/* Only mine. */
const mineButton = $('[data-mine]');
function onlyMine() {
  if (!mineButton) return;
  const on = mineButton.getAttribute('aria-pressed') !== 'true';
  mineButton.setAttribute('aria-pressed', String(on));
  $$('tr[data-row], .sent > li').forEach((e) => {
    e.hidden = on && !e.classList.contains('is-mine');
  });
}
mineButton?.addEventListener('click', onlyMine);

/* Keys, never while somebody types. `g` and a letter follows the link that names the letter. */
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
$('[data-help]')?.addEventListener('click', () => $('[data-help-dialog]').showModal());
$$('[data-copy]').forEach((button) => {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    say('Copied.');
  });
});

/* The service writes times in UTC; here they become the reader's. */
const sameDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const otherDay = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
$$('time[data-at]').forEach((e) => {
  const at = new Date(e.dateTime);
  const today = at.toDateString() === new Date().toDateString();
  e.textContent = (today ? sameDay : otherDay).format(at);
  e.title = at.toString();
});
$$('[data-zone]').forEach((e) => {
  e.textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
});

/* Clocks tick in place; tabular figures keep their width. */
const started = Date.now();
setInterval(() => {
  $$('[data-tick]').forEach((e) => {
    const s = Number(e.dataset.tick) + Math.floor((Date.now() - started) / 1000);
    const [hours, minutes] = [Math.floor(s / 3600), Math.floor(s / 60)];
    const clock =
      hours > 0
        ? `${hours}:${String(minutes % 60).padStart(2, '0')}:${String(s % 60).padStart(2, '0')}`
        : `${minutes}:${String(s % 60).padStart(2, '0')}`;
    e.textContent = `${clock}${e.dataset.of ?? ''}`;
  });
}, 1000);

/* The next rows of a long table are fetched when its end comes near; each answer is a whole page, of which the rows are taken. */
const more = $('[data-more]');
if (more) {
  const near = new IntersectionObserver(
    (seen) => {
      if (seen.some((entry) => entry.isIntersecting)) showMore();
    },
    { rootMargin: '600px' },
  );
  let fetching = false;
  async function showMore() {
    const link = $('a', more);
    if (fetching || !link) return;
    fetching = true;
    try {
      const answer = await fetch(link.href);
      if (!answer.ok || answer.redirected) return;
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const bodies = $$('table.waits tbody', next);
      $('table.waits').append(...bodies.map((body) => document.adoptNode(body)));
      const after = $('[data-more] a', next);
      if (after) link.href = after.getAttribute('href');
      else more.remove();
    } finally {
      fetching = false;
    }
    near.unobserve(more);
    // Asks again even when it is still near.
    if (more.isConnected) near.observe(more);
  }
  $('a', more).addEventListener('click', (event) => {
    event.preventDefault();
    showMore();
  });
  near.observe(more);
}

/* A form that changes something is sent once, however often its button is pressed. */
addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = 'yes';
});
addEventListener('pageshow', () => $$('form[data-sent]').forEach((form) => delete form.dataset.sent));
