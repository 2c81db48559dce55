import { callbacks } from "@/lib/callbacks/pix";

export const { GET, POST, PUT, PATCH, DELETE } = callbacks;
