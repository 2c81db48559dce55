import { charges } from "@/lib/simulators/cards/routes";

export const { GET, POST, PUT, PATCH, DELETE } = charges;
