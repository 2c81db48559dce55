"use client";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type ChangeEvent, type ReactNode, useId, useRef } from "react";
import { isApiError } from "@/components/api";
import { useErrorText } from "@/components/error-text";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

type Texts = {
  /** On the button, and while a file is sent. */
  send: string;
  sending: string;
  /** What the button is called where its text alone does not say of what it is. */
  label?: string | undefined;
  done: string;
  help: string;
  /** Why a file is refused: by its size, and by what it is. */
  tooLarge: string;
  refused: string;
};

type Props = {
  /** The media types that a person chooses from, and the largest file in bytes. */
  types: string;
  maxBytes: number;
  send: (file: File) => Promise<unknown>;
  /** The field at which the API refuses what is in a file. */
  field: string;
  refresh: QueryKey;
  texts: Texts;
  /** What stands beside the button. */
  children?: (isBusy: boolean) => ReactNode;
};

/** A button that sends a file. Its fault is shown in the place of the help, until another file is chosen. */
export function Upload({ types, maxBytes, send, field, refresh, texts, children }: Props) {
  const client = useQueryClient();
  const errorText = useErrorText();
  const input = useRef<HTMLInputElement>(null);
  const noteId = useId();
  // A file that the API would refuse by its size is not sent, because the answer might not arrive.
  const isTooLarge = (file: File | undefined) => file !== undefined && file.size > maxBytes;
  const { mutate, isPending, error, variables } = useMutation<unknown, Error, File>({
    mutationFn: (file) => (isTooLarge(file) ? Promise.reject(new Error("too large")) : send(file)),
    onSuccess: () => toast(texts.done),
    onSettled: () => client.invalidateQueries({ queryKey: refresh }),
  });
  function faultOf(failure: Error) {
    if (isTooLarge(variables)) return texts.tooLarge;
    return isApiError(failure) && failure.errors?.[field] ? texts.refused : errorText(failure);
  }
  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    if (file) mutate(file);
    target.value = ""; // so that the same file can be chosen again
  }
  return (
    <div className="grid min-w-0 flex-1 basis-36 justify-items-start gap-2">
      <input ref={input} type="file" accept={types} onChange={choose} hidden />
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          aria-describedby={noteId}
          busy={isPending}
          {...(texts.label && !isPending && { "aria-label": texts.label })}
          onClick={() => input.current?.click()}
        >
          {isPending ? texts.sending : texts.send}
        </Button>
        {children?.(isPending)}
      </div>
      <p id={noteId} aria-live="polite" className={clsx("text-caption", error ? "text-bad" : "text-muted")}>
        {error ? faultOf(error) : texts.help}
      </p>
    </div>
  );
}
