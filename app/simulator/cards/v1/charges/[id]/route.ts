import { charge } from "@/lib/simulators/cards/routes";

export const { GET, POST, PUT, PATCH, DELETE } = charge;
