-- AlterTable
ALTER TABLE "products" ADD COLUMN     "image_id" TEXT;

-- CreateTable
CREATE TABLE "product_images" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "content_type" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "product_images_pkey" PRIMARY KEY ("account_id","product_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "product_images_id_key" ON "product_images"("id");

-- AddForeignKey
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_account_id_product_id_fkey" FOREIGN KEY ("account_id", "product_id") REFERENCES "products"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Our origin serves these bytes under this type, so no other type may be in the table.
alter table "product_images" add constraint "product_images_type"
  check ("content_type" in ('image/png', 'image/jpeg', 'image/webp'));
alter table "product_images" add constraint "product_images_size" check (octet_length("bytes") <= 1000000);

alter table "product_images" enable row level security;
alter table "product_images" force row level security;
create policy tenant on "product_images" using (in_scope(account_id)) with check (in_scope(account_id));

-- An anonymous visitor has an image's id and knows no account: this finds the image and names its account for the rest
-- of the transaction, or none.
create function image_in_scope(image text) returns setof product_images language plpgsql as $$
declare
  one product_images;
begin
  perform set_config('app.accounts', '*', true);
  select * into one from product_images where id = image;
  perform set_config('app.accounts', coalesce(one.account_id::text, ''), true);
  if one.id is not null then
    return next one;
  end if;
end $$;
