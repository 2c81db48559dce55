import { rec } from "@/lib/simulators/pix/recs";

export const { GET, POST, PUT, PATCH, DELETE } = rec;
