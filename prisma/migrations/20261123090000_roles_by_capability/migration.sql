-- Tokens that exist keep what they could do. So do those that a process of the previous version still makes.
ALTER TABLE "ApiToken" ADD COLUMN "roleVersion" INTEGER NOT NULL DEFAULT 1;
