-- The last failure of each group of a test, in its own words: for the latest groups of a test only.
CREATE TABLE test_results.failure_message (
    test_case_id UUID NOT NULL,
    summary_id   BIGINT NOT NULL,
    upload_id    BIGINT NOT NULL,
    failed_at    TIMESTAMPTZ(3) NOT NULL,
    summary      TEXT NOT NULL,
    message      TEXT NOT NULL,
    stack        TEXT NOT NULL,
    PRIMARY KEY (test_case_id, summary_id)
);

-- For the lists, which mark failures of uploads that are left out of judgement. They are few.
CREATE INDEX "TestUpload_leftOut_idx" ON "TestUpload"("repositoryId", "receivedAt") WHERE NOT "counted";
