-- Test health asks which pull request landed as a commit. Without this it reads all landings of the repository.
CREATE INDEX "LandedChange_commit_idx" ON "LandedChange"("commit");
