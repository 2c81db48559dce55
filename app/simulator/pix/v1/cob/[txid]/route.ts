import { cob } from "@/lib/simulators/pix/cobs";

export const { GET, POST, PUT, PATCH, DELETE } = cob;
