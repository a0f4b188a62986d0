const withSeconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
function listen() {
  let updated = '';
  const [away, state] = [$('[data-away]'), $('[data-live-state]')];
  let stream = null;
  let heardAt = Date.now();
  let wait = 1000;
  let later;
  let fetching = false;
  const restMs = Number(main.dataset.rest ?? 0) * 1000;
  const isLost = (why) => {
    stream?.close();
    stream = null;
    if (away.hidden)
      away.textContent = `${why} since ${sameDay.format(new Date())}. The page shows the state of that time.`;
    away.hidden = false;
    state.textContent = 'Not live';
  };
  const comeBack = (why) => {
    isLost(why);
    clearTimeout(later);
    // After an update of the service, tabs reconnect at different times.
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
      updated = `: updated ${withSeconds.format(new Date())}`;
      state.textContent = `Live${updated}`;
      main.dataset.version = seen;
    } catch {
      comeBack('Not live');
    } finally {
      // The version may have changed while the page was drawn or rested.
      setTimeout(() => {
        fetching = false;
        if (stream && latest !== version) follow(latest);
      }, restMs);
    }
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
      state.textContent = `Live${updated}`;
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
  // Browsers limit connections to one server: only visible tabs keep a connection.
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
