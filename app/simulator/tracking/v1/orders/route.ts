import { orders } from "@/lib/simulators/tracking/orders";

export const { GET, POST, PUT, PATCH, DELETE } = orders;
