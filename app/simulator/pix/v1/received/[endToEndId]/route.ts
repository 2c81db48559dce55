import { receivedOne } from "@/lib/rails/pix/simulator/received";

export const { GET, POST, PUT, PATCH, DELETE } = receivedOne;
