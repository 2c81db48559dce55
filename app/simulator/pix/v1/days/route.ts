import { days } from "@/lib/simulators/pix/days";

export const { GET, POST, PUT, PATCH, DELETE } = days;
