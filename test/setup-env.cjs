// Each jest worker has a database of its own. Set through URL: an address may carry a query.
if (process.env.TEST_DATABASE_BASE) {
  const url = new URL(process.env.TEST_DATABASE_BASE);
  url.pathname += `_${process.env.JEST_WORKER_ID}`;
  process.env.DATABASE_URL = url.href;
}
