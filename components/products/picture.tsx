import { clsx } from "clsx";
import type { Product } from "@/lib/products/schema";

type Props = { product: Pick<Product, "name" | "image_url">; alt?: string; className: string };

/**
 * A product's image in a square, or the first letter of its name. Only the path of its address is used, so that no page
 * loads an image from elsewhere. Without `alt` it says nothing, because the product's name stands beside it.
 */
export function Picture({ product: { name, image_url }, alt = "", className }: Props) {
  const square = clsx("shrink-0 rounded-control border bg-surface", className);
  if (image_url) {
    const { pathname } = new URL(image_url);
    // biome-ignore lint/performance/noImgElement: our host serves it as it is
    return <img src={pathname} alt={alt} loading="lazy" className={clsx(square, "object-contain")} />;
  }
  return (
    <span aria-hidden="true" className={clsx(square, "grid place-items-center font-semibold text-muted")}>
      {Array.from(name)[0]?.toLocaleUpperCase()}
    </span>
  );
}
