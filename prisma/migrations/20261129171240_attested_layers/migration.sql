-- AlterTable
ALTER TABLE "Attestation" ADD COLUMN     "layers" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "Attestation_layers_idx" ON "Attestation" USING GIN ("layers");

