import { cobr } from "@/lib/rails/pix/simulator/cobrs";

export const { GET, POST, PUT, PATCH, DELETE } = cobr;
