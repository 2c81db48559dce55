import { callbacks } from "@/lib/rails/pix/callback";

export const { GET, POST, PUT, PATCH, DELETE } = callbacks;
