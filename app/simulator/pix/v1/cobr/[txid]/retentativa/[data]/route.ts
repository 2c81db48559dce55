import { retry } from "@/lib/simulators/pix/cobrs";

export const { GET, POST, PUT, PATCH, DELETE } = retry;
