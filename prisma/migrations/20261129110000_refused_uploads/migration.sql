-- How many uploads of a repository were refused in a minute, for metrics. Nothing else of them is kept.
CREATE TABLE test_results.refused_upload (
    repository_id UUID NOT NULL,
    minute        TIMESTAMPTZ(3) NOT NULL,
    uploads       INTEGER NOT NULL,
    PRIMARY KEY (repository_id, minute)
);
