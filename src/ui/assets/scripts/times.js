/* The service writes times in UTC; this script shows them in the reader's time zone. */
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

/* Clocks tick in place; digits of equal width keep the layout still. */
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
