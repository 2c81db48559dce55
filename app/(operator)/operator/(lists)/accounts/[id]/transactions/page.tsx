import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { SellersSales } from "@/components/operator/sales";
import { SellersSalesQuery } from "@/lib/dashboard/schema";
import { listSellersSales } from "@/lib/dashboard/sellers-sales";

export const generateMetadata = titled("sellersSales", "title");

export default staffListPage({
  texts: ["sellersSales", "sales", "status", "card"],
  key: ["transactions", "list"],
  path: "/api/operator/v1/transactions",
  query: { per_page: 25 },
  filters: SellersSalesQuery,
  read: listSellersSales,
  shows: SellersSales,
});
