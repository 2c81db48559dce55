export { DELETE, GET, PATCH, POST, PUT } from "@/lib/http/unknown-path";
