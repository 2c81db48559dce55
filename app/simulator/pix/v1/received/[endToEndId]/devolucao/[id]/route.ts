import { devolucao } from "@/lib/simulators/pix/devolucoes";

export const { GET, POST, PUT, PATCH, DELETE } = devolucao;
