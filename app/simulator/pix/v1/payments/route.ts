import { payments } from "@/lib/rails/pix/simulator/payments";

export const { GET, POST, PUT, PATCH, DELETE } = payments;
