import { beginAtCommonDatabase } from "@/lib/testing/own-database";

await beginAtCommonDatabase();
