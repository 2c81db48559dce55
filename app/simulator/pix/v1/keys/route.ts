import { keys } from "@/lib/simulators/pix/keys";

export const { GET, POST, PUT, PATCH, DELETE } = keys;
