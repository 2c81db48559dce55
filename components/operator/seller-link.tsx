"use client";
import { PageLink, type PageLinkProps } from "@/components/ui/page-link";

type Props = Omit<PageLinkProps, "href" | "id"> & { id: string };

/** The link from any page of the console to an account's own, underlined unless it has another look. */
export const SellerLink = ({ id, className = "underline underline-offset-4", ...props }: Props) => (
  <PageLink {...props} href={`/operator/accounts/${id}`} className={className} />
);
