import { charge } from "@/lib/rails/cards/simulator/door";

export const { GET, POST, PUT, PATCH, DELETE } = charge;
