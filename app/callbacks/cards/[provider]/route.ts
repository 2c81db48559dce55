import { callbacks } from "@/lib/callbacks/cards";

export const { GET, POST, PUT, PATCH, DELETE } = callbacks;
