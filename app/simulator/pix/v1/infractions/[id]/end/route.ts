import { infractions } from "@/lib/simulators/pix/infractions";

export const { GET, POST, PUT, PATCH, DELETE } = infractions.end;
