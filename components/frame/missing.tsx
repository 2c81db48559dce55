import { buttonLook } from "@/components/ui/button-look";

/** Nothing lives at this address, or it is another account's: the same page. */
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
