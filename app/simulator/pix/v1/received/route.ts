import { received } from "@/lib/rails/pix/simulator/received";

export const { GET, POST, PUT, PATCH, DELETE } = received;
