import { devolucaoEnd } from "@/lib/simulators/pix/devolucoes";

export const { GET, POST, PUT, PATCH, DELETE } = devolucaoEnd;
