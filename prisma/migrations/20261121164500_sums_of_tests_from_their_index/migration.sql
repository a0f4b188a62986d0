-- The lists read the sums of a page of tests from the index alone: the rows of a test lie as far apart as its days.
ALTER TABLE test_results.day_total
    DROP CONSTRAINT day_total_pkey,
    ADD PRIMARY KEY (test_case_id, day, branch_class) INCLUDE (passed, failed, skipped);

-- What is kept longest goes by the day; the sums of a day are written together.
CREATE INDEX day_total_by_day ON test_results.day_total USING brin (day) WITH (pages_per_range = 32);
