import { payer } from "@/lib/simulators/pix/payer";

export const { GET, POST, PUT, PATCH, DELETE } = payer;
