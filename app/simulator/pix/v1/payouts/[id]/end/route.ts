import { payoutEnd } from "@/lib/simulators/pix/payouts";

export const { GET, POST, PUT, PATCH, DELETE } = payoutEnd;
