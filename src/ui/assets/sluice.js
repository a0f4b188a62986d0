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
function localize(from) {
  $$('time[data-at]', from).forEach((e) => {
    const at = new Date(e.dateTime);
    const today = at.toDateString() === new Date().toDateString();
    e.textContent = (today ? sameDay : otherDay).format(at);
    e.title = at.toString();
  });
  $$('[data-zone]', from).forEach((e) => {
    e.textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
  });
}
localize(document);

/* Clocks tick in place; tabular figures keep their width. */
const started = Date.now();
const tickFrom = new WeakMap();
setInterval(() => {
  $$('[data-tick]').forEach((e) => {
    const s = Number(e.dataset.tick) + Math.floor((Date.now() - (tickFrom.get(e) ?? started)) / 1000);
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
      localize(next);
      const bodies = $$('table.waits tbody', next);
      bodies.forEach((body) => (body.dataset.later = ''));
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

/*
 * Live: the service says that the queue has changed, and the page is asked for again. Of its answer only what differs is put into
 * the page, element by element, so focus, scroll, selection, what is open and what somebody typed stay as they are.
 */
const OWN = ['hidden', 'open', 'data-sent', 'aria-pressed'];
const keyOf = (e) => e.getAttribute?.('aria-labelledby') || e.dataset?.number || e.id || '';
const isSame = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

function mend(shown, wanted) {
  if (shown.isEqualNode(wanted)) return;
  if (shown.nodeType !== Node.ELEMENT_NODE) {
    shown.nodeValue = wanted.nodeValue;
    return;
  }
  // Its link leads behind the rows that were fetched since.
  if (shown.matches('[data-more]') && $('[data-later]')) return;
  if (wanted.dataset.tick !== undefined) tickFrom.set(shown, Date.now());
  for (const { name } of [...shown.attributes]) {
    if (!wanted.hasAttribute(name) && !OWN.includes(name)) shown.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (!OWN.includes(name) && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
  mendChildren(shown, wanted);
}

function mendChildren(shown, wanted) {
  let place = shown.firstChild;
  for (const child of [...wanted.childNodes]) {
    let known = place;
    while (known && !isSame(known, child)) known = known.nextSibling;
    if (!known) {
      shown.insertBefore(document.adoptNode(child), place);
      [child, ...(child.querySelectorAll?.('*') ?? [])].forEach((e) => {
        if (e.dataset?.tick !== undefined) tickFrom.set(e, Date.now());
      });
      continue;
    }
    // What stands before it has left, or comes later in the answer.
    while (place !== known) place = without(place);
    mend(known, child);
    place = known.nextSibling;
  }
  while (place) place = place.dataset?.later === undefined ? without(place) : place.nextSibling;
}
function without(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

const main = $('#main');
const PARTS = '[data-row], article, .landings li';
/* What enters or leaves would shift what the reader's hand is on. */
const shapeOf = (from) =>
  $$(PARTS, from)
    .filter((e) => !e.closest('[data-later]'))
    .map(keyOf)
    .join();
const hand = () => $('.river:hover') ?? document.activeElement.closest('.river');
let held = null;
function show(next) {
  const fresh = $('#main', next);
  if (!fresh) return;
  if (hand() && shapeOf(main) !== shapeOf(fresh)) {
    for (const part of $$('article, tr[data-row]', main)) {
      const same = $$(PARTS, fresh).find((e) => isSame(e, part));
      if (same) mend(part, document.importNode(same, true));
    }
    held = next;
  } else {
    held = null;
    const news = newsOf(main, fresh);
    mend(main, fresh);
    document.title = next.title;
    $$('[data-later] [data-row]').forEach((row) => {
      if ($$(`tr[data-number="${row.dataset.number}"]`).length > 1) row.remove();
    });
    found.forEach((e) => e.classList.add('hit'));
    const mine = $('[data-mine]');
    if (mine?.getAttribute('aria-pressed') === 'true') filterMine(true);
    announce(news);
  }
  $('[data-held]').hidden = held === null;
}
function showHeld() {
  if (held && !hand()) show(held);
}
addEventListener('pointerover', showHeld);
addEventListener('focusin', showHeld);
$('[data-held]')?.addEventListener('click', () => {
  document.activeElement.blur();
  if (held) show(held);
});

/* What concerns the reader is said, in one sentence every 5 seconds at most. */
function newsOf(before, after) {
  const textOf = (e) => e.textContent.trim().replace(/\s+/g, ' ');
  const known = $$('.answer li', before).map(textOf);
  return $$('.answer li', after)
    .map(textOf)
    .filter((text) => !known.includes(text));
}
let news = [];
let saying = false;
function announce(more) {
  news.push(...more);
  if (saying || news.length === 0) return;
  say(`${news.join('. ')}.`);
  news = [];
  saying = true;
  setTimeout(() => {
    saying = false;
    announce([]);
  }, 5000);
}

function listen() {
  const [away, state] = [$('[data-away]'), $('[data-live-state]')];
  let stream = null;
  let heardAt = Date.now();
  let wait = 1000;
  let later;
  let fetching = false;
  const isLost = (why) => {
    stream?.close();
    stream = null;
    if (away.hidden) away.textContent = `${why} since ${sameDay.format(new Date())}. The page shows how it was then.`;
    away.hidden = false;
    state.textContent = 'Not live';
  };
  const comeBack = (why) => {
    isLost(why);
    clearTimeout(later);
    // Not all tabs at once after an update of the service.
    later = setTimeout(open, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, 30_000);
  };
  async function follow(version) {
    if (fetching || main.dataset.version === version) return;
    fetching = true;
    try {
      const answer = await fetch(location.href);
      if (answer.redirected || answer.status === 401) return isLost('Signed out');
      if (!answer.ok) return comeBack('Not live');
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
      localize(next);
      const seen = $('#main', next)?.dataset.version ?? version;
      show(next);
      main.dataset.version = seen;
    } catch {
      comeBack('Not live');
    } finally {
      fetching = false;
    }
    // It may have changed again while the page was drawn.
    if (stream && latest !== version) follow(latest);
  }
  let latest = null;
  function open() {
    clearTimeout(later);
    if (document.hidden || stream) return;
    stream = new EventSource(main.dataset.live);
    heardAt = Date.now();
    stream.addEventListener('version', ({ data }) => {
      heardAt = Date.now();
      wait = 1000;
      latest = data;
      away.hidden = true;
      state.textContent = 'Live';
      follow(data);
    });
    stream.addEventListener('ping', () => (heardAt = Date.now()));
    stream.addEventListener('end', ({ data }) => {
      if (data === 'the session ended') isLost('Signed out');
      else comeBack('Not live');
    });
    stream.onerror = () => comeBack('Not live');
  }
  setInterval(() => {
    if (stream && Date.now() - heardAt > 45_000) comeBack('Not live');
  }, 5000);
  // Browsers allow few connections to one address: only tabs that are looked at keep one.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return open();
    clearTimeout(later);
    stream?.close();
    stream = null;
  });
  addEventListener('pagehide', () => stream?.close());
  open();
}
if (main.dataset.live) listen();
