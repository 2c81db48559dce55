import { rec } from "@/lib/rails/pix/simulator/recs";

export const { GET, POST, PUT, PATCH, DELETE } = rec;
