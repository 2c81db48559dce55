import "@/app/globals.css";
import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "@/components/providers";
import { getLocale, getMessages } from "@/lib/locale/texts";

const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "400 600",
  variable: "--font-inter",
});

export const metadata: Metadata = {
  title: { default: "Repasse", template: "%s · Repasse" },
  icons: { icon: { url: "/icon.svg", type: "image/svg+xml" } },
  robots: { index: false, follow: false },
};

/** What every page needs, and the pages for what failed or is missing. */
const texts = ["common", "errors"] as const;

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfbf9" },
    { media: "(prefers-color-scheme: dark)", color: "#101214" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const locale = await getLocale();
  const theme = (await cookies()).get("theme")?.value;
  return (
    <html
      lang={locale}
      className={inter.variable}
      data-theme={theme === "light" || theme === "dark" ? theme : undefined}
    >
      <body className="min-h-dvh">
        <Providers locale={locale} messages={await getMessages(texts)}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
