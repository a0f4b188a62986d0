-- AlterTable
ALTER TABLE "TestUpload" ADD COLUMN     "attempt" TEXT NOT NULL DEFAULT '';


-- What was uploaded before is of the attempt that the address of its job names: see attemptOfAddress.
UPDATE "TestUpload" SET "attempt" = regexp_replace("jobUrl", '^.*/actions/runs/(\d+)/attempts/(\d+)$', '\1/\2')
WHERE "jobUrl" ~ '/actions/runs/\d+/attempts/\d+$';
UPDATE "TestUpload" SET "attempt" = regexp_replace("jobUrl", '^.*/-/jobs/(\d+)$', '\1')
WHERE "jobUrl" ~ '/-/jobs/\d+$' AND "job" <> '';
