import { recs } from "@/lib/rails/pix/simulator/recs";

export const { GET, POST, PUT, PATCH, DELETE } = recs;
