import { buttonLook } from "@/components/ui/button-look";

/** The same page for an address that does not exist and for one of another account. */
export function Missing({ title, help, home }: { title: string; help: string; home: string }) {
  return (
    <div className="grid justify-items-start gap-4">
      <h1 className="font-semibold text-title">{title}</h1>
      <p className="max-w-[56ch] text-muted text-prose">{help}</p>
      <a href="/" className={buttonLook({})}>
        {home}
      </a>
    </div>
  );
}
