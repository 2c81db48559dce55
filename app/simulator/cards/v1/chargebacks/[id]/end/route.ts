import { chargebacks } from "@/lib/simulators/cards/chargebacks";

export const { GET, POST, PUT, PATCH, DELETE } = chargebacks.end;
