import type { ReactNode } from "react";
import { Live } from "../components/live";
import "./globals.css";

export const metadata = { title: "Meetings" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Live />
        {children}
      </body>
    </html>
  );
}
