import { received } from "@/lib/simulators/pix/received";

export const { GET, POST, PUT, PATCH, DELETE } = received;
