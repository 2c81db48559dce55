import { refund } from "@/lib/simulators/cards/refunds";

export const { GET, POST, PUT, PATCH, DELETE } = refund;
