import { days } from "@/lib/rails/pix/simulator/days";

export const { GET, POST, PUT, PATCH, DELETE } = days;
