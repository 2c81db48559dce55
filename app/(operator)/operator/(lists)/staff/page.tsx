import { Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { StaffPage } from "@/components/operator/staff";
import { staffQuery } from "@/components/operator/staff-queries";
import { requireStaff } from "@/lib/auth/session";
import { readStaffPeople } from "@/lib/staff/read";

const texts = ["staff"] as const;

export const generateMetadata = titled("staff", "title");

export default async function Page() {
  const person = await requireStaff();
  return (
    <Texts of={texts}>
      <Hydrated for={person} reads={[[staffQuery, () => readStaffPeople({ userId: person.id })]]}>
        <StaffPage />
      </Hydrated>
    </Texts>
  );
}
