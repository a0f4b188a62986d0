-- DropForeignKey
ALTER TABLE "PullRequestHead" DROP CONSTRAINT "PullRequestHead_repositoryId_fkey";

-- AddForeignKey
ALTER TABLE "PullRequestHead" ADD CONSTRAINT "PullRequestHead_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE CASCADE ON UPDATE CASCADE;
