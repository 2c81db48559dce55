-- A name is found without its accents too. The index of the column is dropped with it.
ALTER TABLE "subscribers" DROP COLUMN "name_key";
ALTER TABLE "subscribers" ADD COLUMN     "name_key" TEXT COLLATE "C"
  GENERATED ALWAYS AS (lower(regexp_replace(normalize("name", NFD), '[\u0300-\u036f]', '', 'g'))) STORED;
create index "subscribers_name" on "subscribers" ("account_id", "name_key", "id");
