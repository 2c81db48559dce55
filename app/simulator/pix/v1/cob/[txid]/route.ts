import { cob } from "@/lib/rails/pix/simulator/cobs";

export const { GET, POST, PUT, PATCH, DELETE } = cob;
