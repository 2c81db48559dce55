import { charge } from "@/lib/rails/cards/simulator/routes";

export const { GET, POST, PUT, PATCH, DELETE } = charge;
