import { payer } from "@/lib/rails/pix/simulator/payer";

export const { GET, POST, PUT, PATCH, DELETE } = payer;
