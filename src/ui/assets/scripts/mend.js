/*
 * Live updates: after a change event the page is requested again. Only different elements are replaced, so focus,
 * scroll position, selection, open details and typed text stay.
 */
const OWN = ['hidden', 'open', 'data-sent', 'aria-pressed'];
const keyOf = (e) => e.dataset?.part || e.getAttribute?.('aria-labelledby') || e.dataset?.number || e.id || '';
const isSame = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

function mend(shown, wanted) {
  if (shown.isEqualNode(wanted)) return;
  if (shown.nodeType !== Node.ELEMENT_NODE) {
    shown.nodeValue = wanted.nodeValue;
    return;
  }
  // The shown link continues after rows that were fetched since, so it stays.
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
    // The shown nodes before `known` are gone, or come later in the answer.
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
const PARTS = '[data-part], [data-row], article, .landings li';
/*
 * The update waits under the reader's pointer or focus when rows appear or vanish, because new or missing rows would
 * shift the row under them.
 */
const shapeOf = (from) =>
  $$(PARTS, from)
    .filter((e) => !e.closest('[data-later]'))
    .map(keyOf)
    .join();
const hand = () => $('[data-steady]:hover') ?? document.activeElement.closest('[data-steady]');
let held = null;
let known = announcedIn(main);
function show(next) {
  const fresh = $('#main', next);
  if (!fresh) return;
  const told = announcedIn(fresh);
  announce(told.filter((text) => !known.includes(text)));
  known = told;
  if (hand() && shapeOf(main) !== shapeOf(fresh)) {
    for (const part of $$(PARTS, main)) {
      const same = $$(PARTS, fresh).find((e) => isSame(e, part));
      if (same) mend(part, document.importNode(same, true));
    }
    held = next;
  } else {
    held = null;
    mend(main, fresh);
    document.title = next.title;
    $$('[data-later] [data-row]').forEach((row) => {
      if ($$(`tr[data-number="${row.dataset.number}"]`).length > 1) row.remove();
    });
    found.forEach((e) => e.classList.add('hit'));
    const mine = $('[data-mine]');
    if (mine?.getAttribute('aria-pressed') === 'true') filterMine(true);
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

/* Announces changes of interest to the reader, at most one sentence every 5 seconds. */
function announcedIn(from) {
  return $$('.answer li, [data-announced]', from).map(
    (e) => e.dataset.announced ?? e.textContent.trim().replace(/\s+/g, ' '),
  );
}
let unsaid = [];
let saying = false;
function announce(more) {
  unsaid.push(...more);
  if (saying || unsaid.length === 0) return;
  say(unsaid.map((text) => text.replace(/\.?$/, '.')).join(' '));
  unsaid = [];
  saying = true;
  setTimeout(() => {
    saying = false;
    announce([]);
  }, 5000);
}
