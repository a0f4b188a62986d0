-- AlterTable
ALTER TABLE "Candidate" ADD COLUMN     "hasPullRequest" BOOLEAN NOT NULL DEFAULT false;
