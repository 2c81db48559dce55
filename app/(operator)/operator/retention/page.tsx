import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { RetentionPage } from "@/components/privacy/retention";
import { requireStaff } from "@/lib/auth/session";
import { KEPT_YEARS } from "@/lib/privacy/places";
import { shownRetention } from "@/lib/privacy/retention";

const texts = ["retention"] as const;

export const generateMetadata = titled("retention", "title");

export default async function Page() {
  await requireStaff();
  return (
    <Texts of={texts}>
      <RetentionPage rules={shownRetention()} years={KEPT_YEARS} />
    </Texts>
  );
}
