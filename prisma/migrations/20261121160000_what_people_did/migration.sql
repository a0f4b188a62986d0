-- AlterTable
ALTER TABLE "Repository" ADD COLUMN     "commentsReadTo" TIMESTAMPTZ(3),
ADD COLUMN     "labelsReadTo" TIMESTAMPTZ(3);
