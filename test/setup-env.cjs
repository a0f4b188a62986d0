// Each jest worker has its own database. The name of the database is set through URL, because the connection string may
// have a query.
if (process.env.TEST_DATABASE_BASE) {
  const url = new URL(process.env.TEST_DATABASE_BASE);
  url.pathname += `_${process.env.JEST_WORKER_ID}`;
  process.env.DATABASE_URL = url.href;
}
