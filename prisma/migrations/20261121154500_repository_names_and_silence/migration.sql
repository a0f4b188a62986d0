-- Whether a host minds letter case is not known here: the service sets the names right when it starts.
ALTER TABLE "Repository" ADD COLUMN "lookupName" TEXT, ADD COLUMN "silentSince" TIMESTAMPTZ(3);
UPDATE "Repository" SET "lookupName" = "owner" || '/' || "name";
ALTER TABLE "Repository" ALTER COLUMN "lookupName" SET NOT NULL;

-- DropIndex
DROP INDEX "Repository_host_owner_name_key";

-- CreateIndex
CREATE UNIQUE INDEX "Repository_host_lookupName_key" ON "Repository"("host", "lookupName");
