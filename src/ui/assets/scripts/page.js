/* The small client script: every page works without it. The script has no framework and no inline handlers. */
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const root = document.documentElement;

/*
 * Light and dark: the page follows the system until somebody chooses. The service reads the cookie, so that pages do
 * not flash.
 */
$('[data-theme-toggle]')?.addEventListener('click', () => {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  document.cookie = `sluice_theme=${root.dataset.theme}; Path=${root.dataset.ui}; Max-Age=31536000; SameSite=Lax`;
});

function say(text) {
  $('[data-announce]').textContent = text;
  const toast = $('[data-toast]');
  toast.textContent = text;
  toast.hidden = text === '';
}

$('[data-help]')?.addEventListener('click', () => $('[data-help-dialog]').showModal());
$$('[data-copy]').forEach((button) => {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    say('Copied.');
  });
});

/* A form that changes something is sent once, even if its button is pressed again. */
addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = 'yes';
});
addEventListener('pageshow', () => $$('form[data-sent]').forEach((form) => delete form.dataset.sent));
