"use client";
import type { ReactNode } from "react";
import type { ApiForm } from "@/components/api-form";
import { Dialog } from "@/components/ui/dialog";
import { Form, Submit } from "@/components/ui/form";

type Props = {
  form: Pick<ApiForm, "submit" | "busy" | "failure">;
  title: string;
  description?: string;
  /** The text of its button. */
  action: string;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog. */
export const FormDialog = ({ form, title, description, action, onClose, children }: Props) => (
  <Dialog title={title} description={description} onClose={onClose}>
    <Form form={form}>
      {children}
      <Submit form={form}>{action}</Submit>
    </Form>
  </Dialog>
);
