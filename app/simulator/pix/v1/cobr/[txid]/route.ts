import { cobr } from "@/lib/simulators/pix/cobrs";

export const { GET, POST, PUT, PATCH, DELETE } = cobr;
