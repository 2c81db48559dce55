import { payments } from "@/lib/simulators/pix/payments";

export const { GET, POST, PUT, PATCH, DELETE } = payments;
