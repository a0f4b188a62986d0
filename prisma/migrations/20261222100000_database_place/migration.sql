-- Where the database was at the last start of the service. In another place it is a restored backup, or a standby that took over.
CREATE TABLE "DatabasePlace" (
    "id" INTEGER NOT NULL,
    "place" TEXT NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "DatabasePlace_pkey" PRIMARY KEY ("id")
);
