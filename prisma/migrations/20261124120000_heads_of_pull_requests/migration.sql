-- CreateTable
CREATE TABLE "PullRequestHead" (
    "repositoryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "pushedBy" TEXT,

    CONSTRAINT "PullRequestHead_pkey" PRIMARY KEY ("repositoryId","number")
);

-- AddForeignKey
ALTER TABLE "PullRequestHead" ADD CONSTRAINT "PullRequestHead_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
