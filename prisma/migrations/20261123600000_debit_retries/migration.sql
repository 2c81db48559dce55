-- AlterTable
ALTER TABLE "cycles" ADD COLUMN     "debit_id" UUID;
