export { DELETE, GET, PATCH, POST, PUT } from "@/app/api/partner/v1/subscriptions/[token]/pause/route";
