import { titled } from "@/app/titled";
import { ResetForm } from "@/components/auth/reset-form";

export const generateMetadata = titled("reset", "title");

export default function ResetPage() {
  return <ResetForm />;
}
