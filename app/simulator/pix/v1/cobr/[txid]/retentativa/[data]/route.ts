import { retry } from "@/lib/rails/pix/simulator/cobrs";

export const { GET, POST, PUT, PATCH, DELETE } = retry;
