/*
 * Fetches the next rows of a long table before the reader reaches its end. Each answer is a whole page, of which only
 * the rows are used.
 */
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
    // Observes again, because the end may still be near.
    if (more.isConnected) near.observe(more);
  }
  $('a', more).addEventListener('click', (event) => {
    event.preventDefault();
    showMore();
  });
  near.observe(more);
}
